/// Every command, in the order in which help lists them.
let commands: [any Command.Type] = []

func explain(_ error: any Error) -> String {
    (error as? CommandFailure)?.message ?? "\(error)"
}
