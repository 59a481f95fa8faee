import { type CallRecord, CallRecorder } from '../../../sdk/cnpg/inspection/call-recorder.js'
import type { ProcessEntry, TimelineEntry } from '../../../sdk/engine/inspector/explanation-view.js'
import type { Overview, WorkView } from '../../../sdk/engine/inspector/model.js'
import { type HistoryRecord, WorkHistory } from '../../../sdk/engine/inspector/work-history.js'
import type { Clock } from '../../../sdk/engine/time/clock.js'

/** The maximum number of remembered starts and ends of processes. */
const maxProcesses = 50

/** Keeps the records of all processes of one program, in the order of the events. */
export class ProgramRecords {
  readonly history: WorkHistory
  readonly #calls: CallRecorder
  readonly #processes: ProcessEntry[] = []

  constructor(clock: Clock) {
    this.history = new WorkHistory(clock)
    this.#calls = new CallRecorder(clock)
  }

  add(record: { readonly what: string }): void {
    if (isCall(record)) this.#calls.add(record.call)
    else if (isOfHistory(record)) this.history.add(record)
  }

  /** A process of the program started or ended. */
  addProcess(entry: ProcessEntry): void {
    if (this.#processes.push(entry) > maxProcesses) this.#processes.shift()
  }

  /** A timeline with the ends and starts of processes that happened after its first entry. */
  withProcesses(timeline: readonly TimelineEntry[]): TimelineEntry[] {
    const [first] = timeline
    if (!first) return []
    const since = this.#processes.filter(({ atMs }) => atMs >= first.atMs)
    return [...timeline, ...since].sort((a, b) => a.atMs - b.atMs)
  }

  /** The overview of the latest process, with the charts, errors and calls of all processes. */
  withRecords(overview: Overview): Overview {
    const { syncers, controllers, methods } = overview
    return {
      ...overview,
      syncers: syncers.map((syncer) => ({ ...syncer, ...this.#work(syncer.name) })),
      controllers: controllers.map((controller) => ({ ...controller, ...this.#work(controller.name) })),
      methods: methods.map((method) => ({ ...method, ...this.#method(method.name) })),
      calls: this.#calls.recent,
    }
  }

  #work(name: string): Pick<WorkView, 'perSecond' | 'lag' | 'windows' | 'errors'> {
    const { windows, errors } = this.history.of(name)
    return {
      perSecond: windows.perSecond,
      lag: { p50Ms: windows.quantileMs(0.5), p99Ms: windows.quantileMs(0.99) },
      windows: windows.windows(),
      errors: errors.all,
    }
  }

  #method(name: string): Pick<Overview['methods'][number], 'took' | 'errors'> {
    const { windows, errors } = this.#calls.ensureRecord(name)
    return {
      took: { p50Ms: windows.quantileMs(0.5), p99Ms: windows.quantileMs(0.99) },
      errors: errors.all,
    }
  }
}

const isCall = (record: { readonly what: string }): record is CallRecord => record.what === 'call'
const isOfHistory = (record: { readonly what: string }): record is HistoryRecord =>
  record.what === 'run' || record.what === 'subject'
