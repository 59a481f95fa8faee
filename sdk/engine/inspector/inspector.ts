/**
 * The inspector shows its developer what a running program does: as JSON, as a live stream and as a page.
 *
 * It promises to write to no cluster, to answer only on loopback, never to show the content of a Secret, and to cost
 * nothing unless it is switched on. Its pages and its API are read-only. Only the process that started the program,
 * which is `dev`, can ask for a run of a key; the controller then reconciles as after a change. `recorder.ts` remembers
 * recent runs, everything else is read from its own module, and `page/` displays it. It knows controllers only; each
 * kind of program supplies the views of its other parts (`InspectorView`), such as the syncers of a plugin.
 */
import type { PrometheusMetrics } from '../health/prometheus-metrics.js'
import type { Key } from '../kube/key.js'
import type { Clock } from '../time/clock.js'
import type { ControllerExplanation } from './controller-explanation.js'
import type { Explanation } from './explanation-view.js'
import type { InspectableProgram } from './inspected.js'
import { placedKey } from './inspected-controller.js'
import { type InspectorData, InspectorPages, problem, type Reply } from './inspector-pages.js'
import { ofKind } from './kind-names.js'
import { listPairs } from './list-pairs.js'
import type { Overview } from './model.js'
import { overviewOf } from './overview.js'
import { type PairState, pairStates } from './pair-model.js'
import { ParentChannel } from './parent-channel.js'
import { Recorder } from './recorder.js'
import type { WorkHistory } from './work-history.js'
import { workersOf } from './workers-of.js'

/** Options of {@link Inspector}. */
export interface InspectorOptions {
  clock: Clock
  metrics: PrometheusMetrics
  /** The program, as soon as its clusters are known. */
  inspected: () => InspectableProgram | undefined
  /** The process that keeps the records; default that of `dev`, if it started this one. */
  parent?: ParentChannel | undefined
}

const maxLimit = 1000

/** Answers the requests about one program; see above. */
export class Inspector extends InspectorPages {
  /** Records the program's work. */
  readonly recorder: Recorder

  constructor(options: InspectorOptions) {
    const { clock, inspected, parent = ParentChannel.open() } = options
    const recorder = new Recorder(clock, parent && ((record) => parent.report(record)))
    super(new ProgramData(options, recorder), clock)
    this.recorder = recorder
    parent?.onRun(({ syncer, ...key }) => {
      const program = inspected()
      const workers = program ? workersOf(program, recorder) : []
      const requested = workers.find(({ name }) => name === syncer)
      requested?.runAgain(placedKey(requested.resource, key))
    })
  }
}

/** The data of the program in this process. */
class ProgramData implements InspectorData {
  readonly #options: InspectorOptions
  readonly #recorder: Recorder
  readonly #startedMs: number

  constructor(options: InspectorOptions, recorder: Recorder) {
    this.#options = options
    this.#recorder = recorder
    this.#startedMs = options.clock.date().getTime()
  }

  get history(): WorkHistory {
    return this.#recorder.history
  }

  get unavailable(): string | undefined {
    return this.#options.inspected() ? undefined : 'The program waits for its clusters.'
  }

  async overview(): Promise<Overview | undefined> {
    const inspected = this.#options.inspected()
    return inspected && this.#overview(inspected)
  }

  async read(name: string, query: URLSearchParams): Promise<Reply | undefined> {
    const inspected = this.#options.inspected()
    if (!inspected) return problem(503, 'The program waits for its clusters.')
    const data = await this.#data(name, query, inspected)
    return data === undefined ? undefined : { status: 200, data }
  }

  #data(name: string, query: URLSearchParams, inspected: InspectableProgram): unknown {
    if (name === 'overview') return this.#overview(inspected)
    if (name === 'pairs') return listPairs(inspected, { recorder: this.#recorder, ...pairsQuery(query) })
    if (name === 'why') return this.#why(query, inspected)
    return undefined
  }

  #overview(inspected: InspectableProgram): Promise<Overview> {
    const { metrics } = this.#options
    const samples = metrics.samples.bind(metrics)
    return overviewOf(inspected, { samples, recorder: this.#recorder, startedMs: this.#startedMs })
  }

  /** One explanation for each syncer and controller that has to do with the object. */
  async #why(
    query: URLSearchParams,
    inspected: InspectableProgram,
  ): Promise<readonly (Explanation | ControllerExplanation)[]> {
    const key: Key = { namespace: query.get('namespace') ?? '', name: query.get('name') ?? '' }
    const [syncer, kind] = [query.get('syncer'), query.get('kind')]
    const workers = workersOf(inspected, this.#recorder)
    const workersOfName = workers.filter(({ name }) => syncer === null || name === syncer)
    const otherNames = inspected.work?.otherNames ?? (async () => [])
    const requested = kind === null ? workersOfName : await ofKind(workersOfName, kind, otherNames)
    return Promise.all(requested.map(({ resource, explain }) => explain(placedKey(resource, key))))
  }
}

function pairsQuery(query: URLSearchParams) {
  const [syncer, text, state] = [query.get('syncer'), query.get('text'), query.get('state')]
  return {
    ...(syncer && { syncer }),
    ...(text && { text }),
    ...(isPairState(state) && { state }),
    offset: wholeNumber(query.get('offset'), 0),
    limit: Math.min(maxLimit, wholeNumber(query.get('limit'), 100)),
  }
}

const isPairState = (text: string | null): text is PairState => pairStates.some((state) => state === text)

function wholeNumber(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise
}
