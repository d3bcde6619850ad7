/// Every command, in the order in which help lists them.
let commands: [any Command.Type] = [
    KeysGenerate.self, TicketSign.self, GateInstallConfig.self, GateScan.self, GateSync.self, GateStatusCommand.self,
    GateExport.self, GateAnnul.self, GateRotateKey.self, TelemetryLog.self, TelemetryDeliver.self,
    TelemetryStatusCommand.self, TelemetryRotateKey.self, TelemetryErase.self, Demo.self,
]
