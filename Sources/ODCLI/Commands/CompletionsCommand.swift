import OpenDataCore

/// `odctl completions`: the script by which a shell completes command lines of `odctl`.
struct CompletionsCommand: AnswerCommand {
    static let help = Help(
        name: "completions", summary: "Write the script that completes command lines in a shell",
        usage: ["odctl completions SHELL"],
        details: [
            """
            SHELL is bash, zsh or fish. Commands, data sets, flags, and the values that a parameter or
            --format takes are completed; the script asks odctl for them, so it never grows old.
            """
        ],
        examples: [
            "odctl completions bash > ~/.local/share/bash-completion/completions/odctl",
            "odctl completions fish > ~/.config/fish/completions/odctl.fish",
            "source <(odctl completions zsh)",
        ])

    /// The shells that there is a script for.
    static let shells = ["bash", "zsh", "fish"]

    // What the scripts ask: the words typed so far stand behind it.
    private static let question = "words"

    private enum Answer {
        case script(String)
        case candidates([String])
    }

    private let asked: Answer

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: [])
        if parsed.operands.first == CompletionsCommand.question {
            asked = .candidates(Array(parsed.operands.dropFirst()))
            return
        }
        let shell = try parsed.operand("a shell")
        guard let script = CompletionsCommand.script(for: shell) else {
            throw Commands.unknown("shell", shell, among: CompletionsCommand.shells)
        }
        asked = .script(script)
    }

    func answer(_ context: Context) -> String {
        switch asked {
        case .script(let script): script
        case .candidates(let words): Completion.candidates(words, context).map { $0 + "\n" }.joined()
        }
    }

    private static func script(for shell: String) -> String? {
        switch shell {
        case "bash":
            """
            # bash completion of odctl
            _odctl() {
                local IFS=$'\\n'
                COMPREPLY=($(odctl completions words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
                [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
            }
            complete -o default -F _odctl odctl

            """
        case "zsh":
            """
            #compdef odctl
            _odctl() {
                local -a candidates
                candidates=("${(@f)$(odctl completions words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                if [[ -n ${candidates[1]} ]]; then compadd -- "${candidates[@]}"; else _files; fi
            }
            if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then _odctl "$@"; else compdef _odctl odctl; fi

            """
        case "fish":
            """
            # fish completion of odctl
            function __odctl_words
                set -l before (commandline -opc)
                odctl completions words -- $before[2..-1] (commandline -ct) 2>/dev/null
            end
            complete -c odctl -a '(__odctl_words)'

            """
        default: nil
        }
    }
}
