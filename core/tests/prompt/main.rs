//! Tests of what Places show: goldens of asks on surfaces, properties over any ask and any limits, tables of single
//! functions. Sends nothing and names no platform beyond "like".

#![cfg(test)]

mod asks;
mod audience;
mod extremes;
mod functions;
mod goldens;
mod properties;
mod render;
mod sentences;
mod surfaces;
