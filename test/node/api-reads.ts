/**
 * Reads of a cluster through one `kubectl proxy`. Conditions of tests are read again and again, and a kubectl for each
 * of these reads takes more processor time than all Pods together.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { endedWithParent, killAtExit } from '../kill-at-exit.js'

/** An object of any fields, as an API server returns it. */
export type Loose = ReturnType<typeof JSON.parse>

/** The command line of a kubectl, without its arguments. */
export type KubectlCommand = readonly [program: string, ...args: string[]]

/** A cluster that is read through its proxy. */
export interface ApiReads {
  /** The body at a path of the API server. A failure says what kubectl would. */
  read(path: string): Promise<string>
  /**
   * An object, or a list, by arguments of `kubectl get`: kinds with commas, a name, `KIND/NAME`, `-n`, `-A`, `-l`,
   * `--field-selector`.
   */
  get(...args: string[]): Promise<Loose>
}

/** The path of the objects of a kind. */
interface Resource {
  readonly path: string
  readonly plural: string
  readonly isNamespaced: boolean
}

/** A group in the answer of the API server's discovery. */
interface Group {
  metadata: { name?: string }
  versions: { version: string; resources: DiscoveredResource[] }[]
}

interface DiscoveredResource {
  resource: string
  singularResource: string
  scope: string
  shortNames?: string[]
}

const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const options = {
  namespace: { type: 'string', short: 'n', default: 'default' },
  'all-namespaces': { type: 'boolean', short: 'A', default: false },
  selector: { type: 'string', short: 'l' },
  'field-selector': { type: 'string' },
} as const

/** Starts a proxy with a socket at a path, and resolves when it listens. It ends with this process. */
export async function proxiedReads(
  kubectl: KubectlCommand,
  socketPath: string,
  env: NodeJS.ProcessEnv,
): Promise<ApiReads> {
  const [program, ...args] = kubectl
  const proxy = spawn(...endedWithParent(program, [...args, 'proxy', `--unix-socket=${socketPath}`]), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  killAtExit(proxy)
  await Promise.race([once(proxy.stdout, 'data'), once(proxy, 'exit').then(() => Promise.reject(ended))])
  // It serves until the test file ends, which it does not keep from ending.
  proxy.unref()
  proxy.stdout.destroy()
  const agent = new Agent({ keepAlive: true })
  const read = (path: string, accept = 'application/json') => readPath({ socketPath, agent, path, accept })
  let resources = new Map<string, Resource>()
  const resourceOf = async (kind: string): Promise<Resource> => {
    const name = kind.toLowerCase()
    // Definitions that a test has made since are read.
    if (!resources.has(name))
      resources = resourcesOf(await Promise.all(['/api', '/apis'].map((path) => read(path, discovery))))
    const resource = resources.get(name)
    if (!resource) throw new Error(`the server doesn't have a resource type "${kind}"`)
    return resource
  }
  return {
    read: (path) => read(path),
    async get(...args) {
      const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
      const [kinds = '', name] = positionals.flatMap((one) => one.split('/'))
      const found: Loose[] = []
      for (const kind of kinds.split(','))
        found.push(JSON.parse(await read(pathOf(await resourceOf(kind), name, values))))
      return found.length === 1 ? found[0] : { items: found.flatMap(itemsOf) }
    },
  }
}

/** Whether a read failed because there is no such object. */
export const isNotFound = (error: unknown): boolean => String(error).includes('(NotFound)')

/** The objects of a list, which does not repeat their kind. */
const itemsOf = ({ kind, items }: Loose): Loose[] =>
  items.map((item: Loose) => ({ ...item, kind: kind.replace(/List$/, '') }))

const ended = new Error('kubectl proxy ended before it listened')

interface Read {
  socketPath: string
  agent: Agent
  path: string
  accept: string
}

async function readPath({ socketPath, agent, path, accept }: Read): Promise<string> {
  const call = request({ socketPath, agent, path, headers: { accept } })
  call.end()
  const [answer] = await once(call, 'response')
  const body = await text(answer)
  if (answer.statusCode < 400) return body
  throw new Error(refusal(body))
}

/** The text that kubectl prints for an answer that is an error. */
function refusal(body: string): string {
  if (!body.startsWith('{')) return body
  const { reason, message } = JSON.parse(body)
  return `Error from server (${reason}): ${message}`
}

interface Query {
  namespace: string
  'all-namespaces': boolean
  selector?: string
  'field-selector'?: string
}

function pathOf({ path, plural, isNamespaced }: Resource, name: string | undefined, query: Query): string {
  const isInOne = isNamespaced && !query['all-namespaces']
  const objects = `${path}${isInOne ? `/namespaces/${query.namespace}` : ''}/${plural}`
  if (name !== undefined) return `${objects}/${name}`
  const { selector: labelSelector, 'field-selector': fieldSelector } = query
  const selectors = Object.entries({ labelSelector, fieldSelector }).filter(
    ([, value]) => value !== undefined,
  )
  return `${objects}?${new URLSearchParams(selectors as [string, string][])}`
}

/** The kinds of a cluster by all their names. The first with a name has it, as with kubectl. */
function resourcesOf(answers: readonly string[]): Map<string, Resource> {
  const found = new Map<string, Resource>()
  const groups = answers.flatMap((answer) => JSON.parse(answer).items as Group[])
  for (const { metadata, versions } of groups)
    for (const { version, resources } of versions)
      for (const resource of resources)
        for (const name of namesOf(resource, version, metadata.name))
          if (!found.has(name)) found.set(name, resourceAt(resource, version, metadata.name))
  return found
}

const resourceAt = ({ resource, scope }: DiscoveredResource, version: string, group?: string): Resource => ({
  path: group ? `/apis/${group}/${version}` : `/api/${version}`,
  plural: resource,
  isNamespaced: scope === 'Namespaced',
})

const namesOf = (
  { resource, singularResource, shortNames = [] }: DiscoveredResource,
  version: string,
  group?: string,
): string[] => [
  resource,
  singularResource,
  ...shortNames,
  `${resource}.${group}`,
  `${resource}.${version}.${group}`,
]
