//! Tests of the JSON sink.
