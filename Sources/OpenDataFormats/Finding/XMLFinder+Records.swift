import OpenDataCore

extension XMLSurvey {
    /// The path of an element: names from the root down, joined by slashes.
    func path(_ element: Int) -> String {
        var names: [String] = []
        var number = element
        while number > 0 {
            names.append(elements[number].name)
            number = elements[number].parent
        }
        return names.reversed().joined(separator: "/")
    }

    /// The path and how many elements there are: `table/row (12)`.
    func told(_ element: Int) -> String { "\(path(element)) (\(elements[element].count))" }

    /// The elements of the top.
    var roots: [Int] { elements[0].children }

    /// Whether an element is within another.
    func isWithin(_ element: Int, _ ancestor: Int) -> Bool {
        var number = elements[element].parent
        while number > 0, number != ancestor { number = elements[number].parent }
        return number == ancestor
    }

    /// Whether an element can be a record: it holds elements, or nothing but attributes.
    func isGrain(_ element: Int) -> Bool {
        let element = elements[element]
        return !element.isSchema && (!element.children.isEmpty || element.hasAttributes && !element.hasText)
    }

    /// Whether an element is a value: it holds no others.
    func isLeaf(_ element: Int) -> Bool { elements[element].children.isEmpty }

    private func isRepeated(_ element: Int) -> Bool {
        elements[element].repeatedParents > 0 && !elements[element].isSchema
    }

    /// Whether an element is within one that occurs more than once.
    func isWithinRepeated(_ element: Int) -> Bool {
        var number = elements[element].parent
        while number > 0, !isRepeated(number) { number = elements[number].parent }
        return number > 0
    }

    /// The elements that occur more than once within one, less those within others that do.
    var outermostRepeated: [Int] {
        elements.indices.dropFirst().filter { element in
            isRepeated(element) && !isWithinRepeated(element)
        }
    }

    /// The elements within one that could be records as well: they occur more than once in at least half of it.
    func grains(within element: Int) -> [Int] {
        elements.indices.filter { other in
            isRepeated(other) && isGrain(other) && isWithin(other, element)
                && elements[other].repeatedParents * 2 >= elements[element].count
        }
    }

    /// Elements that hold values: what a person may mean by a record where nothing repeats.
    var holders: [Int] {
        elements.indices.dropFirst().filter { number in
            !elements[number].isSchema
                && (elements[number].hasAttributes || elements[number].children.contains { isLeaf($0) })
        }
    }

    /// The placemarks of KML, wherever in its folders they are; empty if this is no KML.
    var placemarks: [Int] {
        guard
            roots.allSatisfy({
                ["kml", "Document", "Folder", "Placemark", "Style", "StyleMap"].contains(elements[$0].name)
            })
        else { return [] }
        return elements.indices.filter { elements[$0].name == "Placemark" }
    }

    /// The attribute that names the columns of records: the only one of each of their elements, and different in each.
    func columnNames(of records: [Int]) -> String? {
        var name: String?
        var values: Set<String> = []
        for child in records.flatMap({ elements[$0].children }) {
            guard isLeaf(child), let naming = elements[child].naming, naming.isDistinct else { return nil }
            if let name, name != naming.name { return nil }
            name = naming.name
            for value in naming.lastValues where !values.insert(value).inserted && records.count == 1 { return nil }
        }
        return name
    }

    /// Whether placemarks have data by name, as `<Data name="…">` and `<SimpleData name="…">`.
    func hasNamedData(_ placemarks: [Int]) -> Bool {
        elements.indices.contains { number in
            ["Data", "SimpleData"].contains(elements[number].name) && elements[number].naming?.name == "name"
                && placemarks.contains { isWithin(number, $0) }
        }
    }
}
