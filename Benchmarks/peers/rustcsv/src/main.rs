//! rustcsv FILE: a CSV file with a header as NDJSON on standard output, every cell a text, on one thread.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, Write};

const BUFFER: usize = 1 << 18;

/// Which bytes a JSON string cannot hold as they are.
const IS_ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

/// Appends the inside of a JSON string.
fn push_text(text: &[u8], output: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(index) = rest.iter().position(|&byte| IS_ESCAPED[byte as usize]) {
        output.extend_from_slice(&rest[..index]);
        match rest[index] {
            b'"' => output.extend_from_slice(b"\\\""),
            b'\\' => output.extend_from_slice(b"\\\\"),
            b'\n' => output.extend_from_slice(b"\\n"),
            b'\r' => output.extend_from_slice(b"\\r"),
            b'\t' => output.extend_from_slice(b"\\t"),
            byte => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                output.extend_from_slice(b"\\u00");
                output.push(DIGITS[usize::from(byte >> 4)]);
                output.push(DIGITS[usize::from(byte & 15)]);
            }
        }
        rest = &rest[index + 1..];
    }
    output.extend_from_slice(rest);
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: rustcsv FILE")?;
    let mut reader = csv::ReaderBuilder::new()
        .buffer_capacity(BUFFER)
        .from_reader(File::open(path)?);

    // What stands in front of each cell: `{"first":"`, then `","second":"`.
    let mut leads: Vec<Vec<u8>> = Vec::new();
    for (index, name) in reader.byte_headers()?.iter().enumerate() {
        let mut lead = if index == 0 { b"{\"".to_vec() } else { b"\",\"".to_vec() };
        push_text(name, &mut lead);
        lead.extend_from_slice(b"\":\"");
        leads.push(lead);
    }

    let mut writer = io::stdout().lock();
    let mut output = Vec::with_capacity(2 * BUFFER);
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record)? {
        for (lead, cell) in leads.iter().zip(&record) {
            output.extend_from_slice(lead);
            push_text(cell, &mut output);
        }
        output.extend_from_slice(b"\"}\n");
        if output.len() >= BUFFER {
            writer.write_all(&output)?;
            output.clear();
        }
    }
    writer.write_all(&output)?;
    Ok(())
}
