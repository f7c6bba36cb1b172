import OpenDataCore

// The fast path: objects that are written as the one before them.
extension JSONRecordDecoder {
    /// When the kernel is asked.
    struct KernelUse {
        /// How records are written, if that is known.
        var shape: JSONRecordShape?
        /// How many records are to be read one by one before the kernel is asked again.
        var pause = 0
        /// How many they will be if it takes none, or too few, then.
        var nextPause = 1

        /// How many records must have a shape to make up for finding it out.
        static let worthwhile = 4

        /// The longest pause.
        static let maximumPause = 64
        /// The most cells and records of one call.
        static let cells = 4096
        static let records = 1024
        /// The most bytes of a record's texts that have escapes.
        static let scratch = 1 << 16
    }

    /// Takes records by the kernel for as long as it can; the next element is the scanner's.
    ///
    /// Stands where an element is due, with the comma before it taken; after it, too.
    mutating func takeLikeRecords(
        _ scanner: inout JSONScanner, _ bytes: inout ArraySlice<UInt8>, _ batch: inout RecordBatch
    ) {
        guard kind == .objects, phase == .elements ? isBehindComma : phase == .sequence,
            batch.columns.count == keys.count, keys.count > 0
        else { return }
        if kernelUse.pause > 0 {
            kernelUse.pause -= 1
            return
        }
        var progress = JSONRecordKernel.Progress(isMisfit: true)
        var worthwhile = 1
        if let shape = kernelUse.shape { progress = take(like: shape, &scanner, &bytes, &batch) }
        if progress.records == 0, progress.isMisfit {
            let shape = JSONRecordShape(bytes.span, scanner, keys, isInArray: phase == .elements)
            kernelUse.shape = kernelUse.shape.flatMap { shape?.adding($0) } ?? shape
            if let shape = kernelUse.shape { progress = take(like: shape, &scanner, &bytes, &batch) }
            worthwhile = KernelUse.worthwhile
        }
        if progress.records < worthwhile, progress.isMisfit {
            kernelUse.pause = kernelUse.nextPause
            kernelUse.nextPause = min(kernelUse.nextPause * 2, KernelUse.maximumPause)
        } else {
            kernelUse.nextPause = 1
        }
    }

    private func take(
        like shape: JSONRecordShape, _ scanner: inout JSONScanner, _ bytes: inout ArraySlice<UInt8>,
        _ batch: inout RecordBatch
    ) -> JSONRecordKernel.Progress {
        let width = keys.count
        var total = JSONRecordKernel.Progress()
        let before = scanner.place
        scanner.skipSpace(bytes.span)
        var start = scanner.place
        var progress = total
        unsafe withUnsafeTemporaryAllocation(byteCount: KernelUse.scratch, alignment: 16) { scratch in
            unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: max(KernelUse.cells, width)) { cells in
                unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: KernelUse.records) { starts in
                    repeat {
                        // In bounds: the kernel's own terms, which are those of the three buffers and the window.
                        progress = unsafe bytes.withUnsafeMutableBytes { window in
                            unsafe JSONRecordKernel.scan(
                                window, from: start.index, shape, width: width, into: cells, starts, scratch: scratch)
                        }
                        let count = progress.records
                        if count == 0 { break }
                        if total.records == 0 {
                            // As many as there will be if the rest is like these: growing arrays means to copy them.
                            let share = (bytes.endIndex - start.index) / max(progress.next - start.index, 1) + 1
                            let more = min(count * share, JSONRecordDecoder.maximumCells / width + count)
                            batch.cells.reserveCapacity(batch.cells.count + more * width)
                            batch.origins.reserveCapacity(batch.origins.count + more)
                        }
                        unsafe batch.cells.append(
                            contentsOf: UnsafeBufferPointer(rebasing: cells[..<(count * width)]))
                        let record = batch.recordOffset + batch.readCount + 1
                        for index in 0..<count {
                            batch.origins.append(
                                RecordOrigin(
                                    record: record + index, line: start.line + index * shape.lines,
                                    byte: unsafe batch.byteOffset + Int(starts[index])))
                        }
                        total.records += count
                        start.index = progress.next
                        start.line += count * shape.lines
                    } while batch.cells.count < JSONRecordDecoder.maximumCells && !progress.isMisfit
                }
            }
        }
        total.isMisfit = progress.isMisfit
        guard total.records > 0 else {
            scanner.place = before
            return total
        }
        if shape.lines > 0 { (start.lineStart, start.followsCarriageReturn) = (start.index - shape.indentation, false) }
        scanner.place = start
        return total
    }
}

extension JSONRecordShape {
    /// The shape of the object that comes next, with what stands between it and the one after it; `nil` if they do not
    /// come, or have something that no kernel reads.
    init?(_ bytes: Span<UInt8>, _ scanner: JSONScanner, _ columns: borrowing JSONColumns, isInArray: Bool) {
        var scanner = scanner
        var columns = copy columns
        scanner.skipSpace(bytes)
        var joints: [(text: [UInt8], column: Int)] = []
        var seen = Set<Int>()
        var start = scanner.place.index
        func piece(to end: Int) -> [UInt8] { (start..<end).map { bytes[$0] } }
        do throws(JSONStop) {
            try scanner.take(UInt8(ascii: "{"), bytes, else: .value)
            while true {
                scanner.skipSpace(bytes)
                let key = scanner.place.index
                guard try scanner.peek(bytes) == JSONStrings.quote else { return nil }
                let isEscaped = try scanner.string(bytes)
                guard let column = columns.find(bytes, key..<scanner.place.index, isEscaped: isEscaped),
                    seen.insert(column).inserted
                else { return nil }
                scanner.skipSpace(bytes)
                try scanner.take(UInt8(ascii: ":"), bytes, else: .colon)
                scanner.skipSpace(bytes)
                joints.append((piece(to: scanner.place.index), column))
                try scanner.scalar(try scanner.peek(bytes), bytes)
                start = scanner.place.index
                scanner.skipSpace(bytes)
                if try scanner.peek(bytes) == UInt8(ascii: "}") { break }
                try scanner.take(UInt8(ascii: ","), bytes, else: .commaOrBrace)
            }
            scanner.place.index += 1
            let closing = piece(to: scanner.place.index)
            start = scanner.place.index
            scanner.skipSpace(bytes)
            if isInArray {
                try scanner.take(UInt8(ascii: ","), bytes, else: .commaOrBracket)
                scanner.skipSpace(bytes)
            }
            guard try scanner.peek(bytes) == UInt8(ascii: "{") else { return nil }
            self.init(joints: joints, closing: closing, between: piece(to: scanner.place.index))
        } catch { return nil }
    }
}
