/// Every command, in the order in which help lists them.
let commands: [any Command.Type] = [
    KeysGenerate.self, TicketSign.self, GateInstallConfig.self, GateScan.self, GateSync.self, GateStatusCommand.self,
    GateExport.self, GateAnnul.self, Demo.self,
]
