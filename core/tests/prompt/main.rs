//! Tests of what Places show: goldens of asks on surfaces, properties over any ask and any limits, tables of single
//! functions. Sends nothing and names no platform beyond "like".

mod asks;
mod goldens;
mod render;
mod surfaces;
