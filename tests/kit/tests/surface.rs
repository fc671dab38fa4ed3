//! The surface in memory keeps the contract of every Surface, so that what passes with it can pass with a real one.

use askrelay_kit::surface::fake::FakeChat;

askrelay_kit::surface_contract!(FakeChat);
