import type { Client } from '../../sdk/engine/client/client.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { systemClock } from '../../sdk/engine/time/clock.js'

type DefinedNames = CustomResourceDefinition['spec']['names']

/** The maximum time until a kind is served, in milliseconds of real time. */
const defaultLimitMs = 30_000

/**
 * Creates the missing definitions and waits until their kinds are served, which is later than `Established`. Rejects if
 * a definition has names that another one has, or is not served in time.
 */
export async function serveDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  { limitMs = defaultLimitMs }: { limitMs?: number } = {},
): Promise<void> {
  const { items } = await client.list(customResourceDefinitions)
  const installedNames = new Set(items.map(({ metadata }) => metadata.name))
  for (const definition of definitions) {
    if (installedNames.has(definition.metadata.name)) continue
    await client.create(customResourceDefinitions, definition)
    for (const { name: version, served } of definition.spec.versions)
      if (served) await untilServed(client, definition, { version, limitMs })
  }
}

async function untilServed(
  client: Client,
  definition: CustomResourceDefinition,
  { version, limitMs }: { version: string; limitMs: number },
): Promise<void> {
  const { group, names, scope } = definition.spec
  const resource = {
    group,
    version,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
  }
  const failure = () =>
    client.list(resource, { limit: 1 }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
  const endMs = systemClock.now() + limitMs
  for (let failed = await failure(); failed; failed = await failure()) {
    await checkNames(client, definition)
    if (systemClock.now() > endMs) throw notServedError(definition, { version, limitMs, cause: failed.error })
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Rejects if the API server will never serve a definition, because another one has its names. A definition that is
 * being deleted gives its names back.
 */
async function checkNames(client: Client, definition: CustomResourceDefinition): Promise<void> {
  const { items } = await client.list(customResourceDefinitions)
  const live = items.find(({ metadata }) => metadata.name === definition.metadata.name)
  const refusal = live?.status?.conditions?.find(
    ({ type, status }) => type === 'NamesAccepted' && status === 'False',
  )
  if (!refusal || !items.some((other) => other !== live && keepsNamesOf(other, definition))) return
  throw new Error(
    `the definition ${definition.metadata.name} is not served: ${refusal.message}, by another definition of the ` +
      `group; give each definition of ${definition.spec.group} names of its own`,
  )
}

/** Whether a definition has been accepted with names that another one requests, and stays. */
function keepsNamesOf(other: CustomResourceDefinition, { spec }: CustomResourceDefinition): boolean {
  if (other.spec.group !== spec.group || other.metadata.deletionTimestamp !== undefined) return false
  const taken = namesIn(other.status?.acceptedNames ?? {})
  return namesIn(spec.names).some((name) => taken.includes(name))
}

/** Kinds begin with an uppercase letter and the other names do not, so that one list holds both. */
const namesIn = ({ plural, singular, kind, listKind, shortNames = [] }: Partial<DefinedNames>): string[] =>
  [plural, singular ?? kind?.toLowerCase(), kind, listKind ?? (kind && `${kind}List`), ...shortNames].filter(
    (name) => name !== undefined,
  )

function notServedError(
  { metadata }: CustomResourceDefinition,
  { version, limitMs, cause }: { version: string; limitMs: number; cause: unknown },
): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(
    `the definition ${metadata.name} was created, but ${version} is not served after ${limitMs / 1000} s: ${why}`,
    { cause },
  )
}
