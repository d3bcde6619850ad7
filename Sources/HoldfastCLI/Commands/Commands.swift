/// Every command, in the order in which help lists them.
let commands: [any Command.Type] = [KeysGenerate.self]

func explain(_ error: any Error) -> String {
    (error as? CommandFailure)?.message ?? "\(error)"
}
