// Imports the modules in its arguments, one after the other, and prints the changes of the process by module as JSON.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { argv } from 'node:process'
import isEqual from 'lodash/isEqual.js'
import type * as undici from 'undici'

type Observation = Map<string, unknown>

/** A property with a getter, as Node uses for lazy loading; the first read replaces it by a value. */
const lazy = Symbol('lazy')

function properties(name: string, object: object): [string, unknown][] {
  return Reflect.ownKeys(object).map((key) => {
    const property = Object.getOwnPropertyDescriptor(object, key)
    return [`${name}.${String(key)}`, property && 'value' in property ? property.value : lazy]
  })
}

function listeners(name: string, emitter: NodeJS.EventEmitter): [string, unknown][] {
  return emitter.eventNames().map((event) => [`${name} on ${String(event)}`, emitter.rawListeners(event)])
}

function observe(): Observation {
  const { stdin, stdout, stderr } = process
  return new Map([
    ...Object.entries({ process, stdin, stdout, stderr }).flatMap(([name, one]) => listeners(name, one)),
    ...Object.entries({ process, globalThis, console, Error, stdin, stdout, stderr }).flatMap(([name, one]) =>
      properties(name, one),
    ),
    ...Object.entries(process.env).map(([name, value]): [string, unknown] => [`env.${name}`, value]),
    ['stdout.write', stdout.write],
    ['stderr.write', stderr.write],
    ['cwd', process.cwd()],
    ['active resources', process.getActiveResourcesInfo().sort()],
  ])
}

/**
 * The place where `fetch` looks for its connections. Node sets it at the first use of `fetch` or `Response`,
 * also by an import.
 */
const dispatcher = 'globalThis.Symbol(undici.globalDispatcher.1)'
const isNodesOwn = (value: unknown) => {
  const { Agent } = createRequire(import.meta.url)('undici') as typeof undici
  return value !== undefined && !(value instanceof Agent)
}

/** The names that have another value. Loads nothing, so it may be asked before the import. */
function differences(before: Observation, after: Observation): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.filter((name) => before.get(name) !== lazy && !isEqual(before.get(name), after.get(name)))
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

/** The process once nothing changes it any more. Reading the standard streams opens them, and so does a loader. */
async function settled(earlier = observe()): Promise<Observation> {
  await pause()
  const now = observe()
  return differences(earlier, now).length === 0 ? now : settled(now)
}

let before = await settled()
const changes: Record<string, string[]> = {}
for (const module of argv.slice(2)) {
  await import(module)
  const after = await settled()
  const isOurs = (name: string) => name !== dispatcher || !isNodesOwn(after.get(name))
  changes[module] = differences(before, after).filter(isOurs)
  before = after
}
// Not by `process.stdout`, which an import may have replaced.
writeSync(1, JSON.stringify(changes))
process.exit(0)
