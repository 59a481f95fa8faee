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

  /** Keeps a record that a process sent: of a call, of a run, or of a subject. */
  add(record: { readonly what: string }): void {
    if (isCall(record)) this.#calls.add(record.call)
    else if (isOfHistory(record)) this.history.add(record)
  }

  /** Keeps the start or the end of a process. */
  addProcess(entry: ProcessEntry): void {
    if (this.#processes.push(entry) > maxProcesses) this.#processes.shift()
  }

  /** A timeline with the ends and starts of processes that happened after its first entry. */
  withProcesses(timeline: readonly TimelineEntry[]): TimelineEntry[] {
    const [first] = timeline
    if (!first) return []
    const laterEntries = this.#processes.filter(({ atMs }) => atMs >= first.atMs)
    return [...timeline, ...laterEntries].sort((a, b) => a.atMs - b.atMs)
  }

  /** The overview of the latest process, with the charts, errors and calls of all processes. */
  withRecords(overview: Overview): Overview {
    const { syncers, controllers, methods } = overview
    return {
      ...overview,
      syncers: syncers.map((syncer) => ({ ...syncer, ...this.#workOf(syncer.name) })),
      controllers: controllers.map((controller) => ({ ...controller, ...this.#workOf(controller.name) })),
      methods: methods.map((method) => ({ ...method, ...this.#methodOf(method.name) })),
      calls: this.#calls.recent,
    }
  }

  /** The charts and errors of a syncer or controller, over all processes. */
  #workOf(name: string): Pick<WorkView, 'perSecond' | 'lag' | 'windows' | 'errors'> {
    const { windows, errors } = this.history.of(name)
    return {
      perSecond: windows.perSecond,
      lag: { p50Ms: windows.quantileMs(0.5), p99Ms: windows.quantileMs(0.99) },
      windows: windows.windows(),
      errors: errors.all,
    }
  }

  /** The charts and errors of a method, over all processes. */
  #methodOf(name: string): Pick<Overview['methods'][number], 'took' | 'errors'> {
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
