import { median, type Series, valuesOf } from './figures.js'

/** One target, as a limit that may depend on a peer's figures in the same session. */
interface Target {
  readonly what: string
  readonly scenario: RegExp
  readonly metric: string
  /** The limit, in the metric's unit; `undefined` if the peer was not measured. */
  readonly limit: (peer: (mirror: string, metric?: string) => number | undefined) => number | undefined
  readonly words: string
}

const times = (share: number, value: number | undefined) => (value === undefined ? undefined : value * share)
const plus = (more: number, value: number | undefined) => (value === undefined ? undefined : value + more)
const bestGo = 'controller-runtime, 32'
const usualGo = 'controller-runtime, 10'
const bestGoLimit: Target['limit'] = (peer) => peer(bestGo)

const targets: readonly Target[] = [
  {
    what: 'cold start, s',
    scenario: /^cold 10000$/,
    metric: 'seconds',
    limit: bestGoLimit,
    words: 'controller-runtime with 32 workers',
  },
  {
    what: 'cold start: writes per object',
    scenario: /^cold 10000$/,
    metric: 'writes_per_change',
    limit: () => 1.001,
    words: '1.00',
  },
  {
    what: 'cold start: single reads',
    scenario: /^cold 10000$/,
    metric: 'host_reads',
    limit: () => 0,
    words: '0',
  },
  {
    what: 'cold start: CPU, s',
    scenario: /^cold 10000$/,
    metric: 'cpu_s',
    limit: (peer) => times(0.9, peer(bestGo)),
    words: '0.9 × controller-runtime with 32 workers',
  },
  {
    what: 'cold start: peak memory, MiB',
    scenario: /^cold 10000$/,
    metric: 'peak_rss_mib',
    limit: () => 130,
    words: '130',
  },
  {
    what: 'restart: first new change, s',
    scenario: /^restart 10000$/,
    metric: 'seconds',
    limit: (peer) => peer(usualGo),
    words: 'controller-runtime with 10 workers',
  },
  {
    what: 'restart: needless writes',
    scenario: /^restart 10000$/,
    metric: 'needless_writes',
    limit: () => 0,
    words: '0',
  },
  {
    what: 'memory at rest, MiB',
    scenario: /^restart 10000$/,
    metric: 'rest_rss_mib',
    limit: () => 95,
    words: '95',
  },
  {
    what: '100 changes/s: p50, ms',
    scenario: /^steady 100 \d+ 10000$/,
    metric: 'p50_ms',
    limit: (peer) => plus(0.7, peer('pass-through')),
    words: 'pass-through + 0.7',
  },
  {
    what: '100 changes/s: p99, ms',
    scenario: /^steady 100 \d+ 10000$/,
    metric: 'p99_ms',
    limit: (peer) => times(1.2, peer('pass-through')),
    words: '1.2 × pass-through',
  },
  {
    what: '100 changes/s: writes per change',
    scenario: /^steady 100 \d+ 10000$/,
    metric: 'writes_per_change',
    limit: () => 1.001,
    words: '1.00',
  },
  {
    what: 'CPU of 1,000 changes, s',
    scenario: /^steady 100 \d+ 10000$/,
    metric: 'cpu_s_per_1k',
    limit: (peer) => times(0.9, peer(usualGo)),
    words: '0.9 × controller-runtime with 10 workers',
  },
  {
    what: 'connections cut: caught up after, s',
    scenario: /^cut 1000$/,
    metric: 'recovered_s',
    limit: () => 0.25,
    words: '0.25',
  },
  {
    what: 'connections silent: caught up after, s',
    scenario: /^hang 1000$/,
    metric: 'recovered_s',
    limit: () => 20,
    words: '20',
  },
  {
    what: 'connections cut: lists',
    scenario: /^cut 1000$/,
    metric: 'virtual_lists',
    limit: () => 0,
    words: '0',
  },
  {
    what: 'connections silent: lists',
    scenario: /^hang 1000$/,
    metric: 'virtual_lists',
    limit: () => 0,
    words: '0',
  },
  { what: 'churn: objects left over', scenario: /^churn /, metric: 'left_over', limit: () => 0, words: '0' },
  {
    what: 'killed: wrong objects',
    scenario: /^crash 1000$/,
    metric: 'wrong_objects',
    limit: () => 0,
    words: '0',
  },
  {
    what: 'from exec to the first connection, ms',
    scenario: /^start$/,
    metric: 'start_ms',
    limit: () => 100,
    words: '100',
  },
  ...[50_000, 200_000].flatMap((n) => [
    {
      what: `${n.toLocaleString('en')} objects: time, s`,
      scenario: new RegExp(`^cold ${n}$`),
      metric: 'seconds',
      limit: bestGoLimit,
      words: 'controller-runtime with 32 workers',
    },
    {
      what: `${n.toLocaleString('en')} objects: peak memory, MiB`,
      scenario: new RegExp(`^cold ${n}$`),
      metric: 'peak_rss_mib',
      limit: bestGoLimit,
      words: 'controller-runtime with 32 workers',
    },
  ]),
  {
    what: 'killed in a cold start: in sync again, s',
    scenario: /^crash 1000$/,
    metric: 'seconds',
    limit: () => 3,
    words: '3',
  },
  {
    what: 'a noisy neighbour: p99 with it / alone',
    scenario: /^noisy /,
    metric: 'p99_ratio',
    limit: () => 2,
    words: '2',
  },
]

/** The result of one target for one of this project's plugins. */
export interface Verdict {
  readonly what: string
  readonly mirror: string
  readonly words: string
  readonly limit: number
  readonly measured: number
  readonly isHeld: boolean
}

/** The verdicts of all targets whose scenario is in the session. */
export function verdictsOf(all: readonly Series[], mirrors: readonly string[]): Verdict[] {
  return targets.flatMap((target) =>
    mirrors.flatMap((mirror) => {
      const ours = all.find((each) => each.mirror === mirror && target.scenario.test(each.scenario))
      if (!ours) return []
      const peer = (name: string, metric = target.metric) => {
        const theirs = all.find((each) => each.mirror === name && each.scenario === ours.scenario)
        return theirs && median(valuesOf(theirs, metric))
      }
      const limit = target.limit(peer)
      if (limit === undefined) return []
      // A scenario that was not completed has no figure.
      const measured = median(valuesOf(ours, target.metric)) ?? Number.POSITIVE_INFINITY
      const { what, words } = target
      return [{ what, mirror, words, limit, measured, isHeld: measured <= limit }]
    }),
  )
}
