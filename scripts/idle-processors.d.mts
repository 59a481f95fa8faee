/** The part of `os.CpuInfo` that is read. */
export interface ProcessorTimes {
  readonly times: Readonly<Record<'user' | 'nice' | 'sys' | 'idle' | 'irq', number>>
}

export class IdleProcessors {
  constructor(read?: () => readonly ProcessorTimes[], available?: number)
  sinceLast(): number
}
