//! Tests of the sink.
