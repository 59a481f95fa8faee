import type { Faults } from '../../apiserver/faults/faults.js'
import { formatMs } from '../terminal/screen.js'
import { UsageError } from '../terminal/usage-error.js'

/** Faults in the plugin's requests to the embedded clusters; none by default. */
export interface ClusterFaults {
  /** Delay of each response and each watch event, in milliseconds. */
  latency?: number
  /** Percentage of requests that fail. */
  errors?: number
  /** Time after which the connection of a watch is closed, in milliseconds. */
  cut?: number
}

/** The plugin's user on embedded clusters. Faults apply to this user only. */
export const pluginUser = 'plugin'

const example = 'latency=50ms,errors=5%,cut=30s'

/** Parses `latency=50ms,errors=5%,cut=30s`, or some of it in any order. Throws a `UsageError`. */
export function parseClusterFaults(text: string): ClusterFaults {
  const settings = text.split(',').map((part) => /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(part))
  const faults: ClusterFaults = {}
  for (const setting of settings) {
    const [, name = '', value = ''] = setting ?? []
    if (!isFault(name)) throw new UsageError(`--faults must be like ${example}, got ${JSON.stringify(text)}`)
    if (name in faults) throw new UsageError(`--faults sets ${name} twice: ${text}`)
    faults[name] = readers[name](value)
  }
  return faults
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

function duration(name: string, value: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? []
  const ms = Number(number) * (units[unit] ?? Number.NaN)
  if (ms > 0) return ms
  throw new UsageError(
    `--faults ${name} must be a duration such as 50ms, 2s or 1m, got ${JSON.stringify(value)}`,
  )
}

function percentage(value: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)%$/.exec(value)?.[1])
  if (percent > 0 && percent <= 100) return percent
  throw new UsageError(
    `--faults errors must be a percentage up to 100%, such as 5%, got ${JSON.stringify(value)}`,
  )
}

const readers: Readonly<Record<keyof ClusterFaults, (value: string) => number>> = {
  latency: (value) => duration('latency', value),
  errors: percentage,
  cut: (value) => duration('cut', value),
}

const isFault = (name: string): name is keyof ClusterFaults => Object.hasOwn(readers, name)

/** Injects the faults into one cluster. */
export function addFaults(rules: Faults, { latency, errors, cut }: ClusterFaults): void {
  const watches = { user: pluginUser, verb: 'watch' }
  if (cut !== undefined) rules.add(watches, { type: 'cutWatch', afterMs: cut, wholeConnection: true })
  if (latency !== undefined) {
    rules.add({ user: pluginUser }, { type: 'delay', delayMs: latency })
    rules.add(watches, { type: 'delayEvents', delayMs: latency })
  }
  // Added last, because this rule replaces the response.
  if (errors !== undefined)
    rules.add({ user: pluginUser }, { type: 'status', code: 500 }, { probability: errors / 100 })
}

/** The faults as text: `responses delayed by 50 ms, 5% of requests fail, watches cut after 30.0 s`. */
export function describeFaults({ latency, errors, cut }: ClusterFaults): string {
  const texts = [
    latency !== undefined && `responses delayed by ${formatMs(latency)}`,
    errors !== undefined && `${errors}% of requests fail`,
    cut !== undefined && `watches cut after ${formatMs(cut)}`,
  ]
  return texts.filter((text) => text !== false).join(', ')
}
