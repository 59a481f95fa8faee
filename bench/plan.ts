import { withCompileCache } from './as-in-image.js'

/** A program to measure and its start. */
export interface Contestant {
  readonly name: string
  /** How the program receives its clusters; default standalone. */
  readonly mode?: 'sidecar'
  /** The command, from the programs of `go/build` or from the plugin's bundle. */
  readonly command: (tools: Tools) => readonly string[]
}

/** The parts of commands. */
export interface Tools {
  /** The folder of the Go programs. */
  readonly programs: string
  readonly bundle: string
  /** Node's flags to profile a plugin. */
  readonly profiling: readonly string[]
}

/** A scenario with its contestants and conditions. */
export interface Step {
  readonly scenario: string
  readonly contestants: readonly string[]
  /** Bytes of data per object; default 1024. */
  readonly payload?: number
  /** Milliseconds added to each round trip; default 0. */
  readonly delayMs?: number
  /** How long a mirror may take, as a Go duration; default 5m. */
  readonly limit?: string
}

/** The minimal Node program that connects to the API server. */
const knock = `const { readFileSync } = require('node:fs')
const [{ cluster }] = JSON.parse(readFileSync(process.env.VIRTUAL_KUBECONFIG)).clusters
require('node:net').connect(new URL(cluster.server).port, '127.0.0.1')`

/** This project's plugins and their peers. `floor` has no program: the harness itself writes. */
export const contestants: readonly Contestant[] = [
  { name: 'floor', command: () => ['true'] },
  { name: 'Node alone', command: () => [process.execPath, '--eval', knock] },
  { name: 'pass-through', command: ({ programs }) => [`${programs}/passthrough`] },
  ...[32, 10, 1].map((workers) => ({
    name: `controller-runtime, ${workers}`,
    command: ({ programs }: Tools) =>
      [`${programs}/controller-runtime`, '-qps', '-1', '-workers', `${workers}`] as const,
  })),
  {
    name: 'standalone',
    command: ({ bundle, profiling }) => [...withCompileCache(bundle), ...profiling, bundle],
  },
  {
    name: 'sidecar',
    mode: 'sidecar',
    command: ({ bundle, profiling }) => [...withCompileCache(bundle), ...profiling, bundle],
  },
]

const ours = ['standalone', 'sidecar']
const best = ['pass-through', 'controller-runtime, 32', ...ours]
const usual = ['controller-runtime, 10', ...ours]

const cold = (n: number): Step[] => [
  { scenario: `floor ${n} http1 64`, contestants: ['floor'] },
  { scenario: `cold ${n}`, contestants: best },
]
const each = (scenarios: readonly string[], who: readonly string[]): Step[] =>
  scenarios.map((scenario) => ({ scenario, contestants: who }))

/** The parts of a session, by name. */
export const parts: Readonly<Record<string, readonly Step[]>> = {
  cold: [...cold(1000), ...cold(10_000)],
  workers: each(['cold 1000', 'cold 10000'], ['controller-runtime, 10', 'controller-runtime, 1']),
  restart: each(['restart 10000'], usual),
  steady: each(['steady 100 20 1000', 'steady 100 20 10000'], ['pass-through', ...usual]),
  churn: each(['churn 20 15 1000'], usual),
  cut: each(['cut 1000'], usual),
  hang: each(['hang 1000'], usual),
  crash: each(['crash 1000'], ours),
  start: each(['start'], ['Node alone', 'pass-through', 'controller-runtime, 10', ...ours]),
  /** Together with `cold` of the same session. */
  growth: cold(50_000),
  /** The same; etcd has room for it only in clusters of its own, which each command starts. */
  large: each(['cold 200000'], ['controller-runtime, 32', 'standalone']).map((step) => ({
    ...step,
    limit: '20m',
  })),
  payloads: [64, 10_240].flatMap((payload) => cold(1000).map((step) => ({ ...step, payload }))),
  distance: [...each(['steady 50 15 1000', 'cold 1000'], ['pass-through', ...usual])].map((step) => ({
    ...step,
    delayMs: 5,
  })),
  noisy: each(['noisy 20 15 10000'], ['pass-through', ...usual]),
}

/** The parts that are measured if none is given. */
export const usualParts: readonly string[] = ['cold', 'restart', 'steady', 'churn', 'cut', 'crash', 'start']
