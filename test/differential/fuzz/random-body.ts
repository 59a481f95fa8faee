import { type Struct, structNamed } from '../../../apiserver/schema/schema.js'
import { anyBody, type Json } from '../subjects.js'
import type { FuzzKind } from './fuzz-kinds.js'
import { namespacePlaceholder } from './fuzz-request.js'
import type { Random } from './random.js'
import { randomValue, wrongValue } from './random-value.js'

/** Options of a request that creates or changes an object: its name, and the amount of randomness. */
export interface BodyOptions {
  readonly kind: FuzzKind
  readonly name: string
}

/** Bodies with only metadata and the kind. They are merged into a valid object for other requests. */
const aboutAny = Object.values(anyBody)

/** An object with up to three random changes. */
export function randomObject({ kind, name }: BodyOptions, random: Random): Json {
  const metadata = { name, labels: { fuzz: namespacePlaceholder } }
  let object: Json = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...structuredClone(kind.base) }
  const changes = random.pick([0, 0, 0, 1, 1, 1, 2, 3])
  for (let made = 0; made < changes; made++) object = changed(object, kind, random)
  return object
}

/** Members to merge into an object. */
export function randomChange({ kind }: BodyOptions, random: Random): Json {
  const change = random.chance(0.4) ? structuredClone(random.pick(aboutAny)) : {}
  if (random.chance(0.7)) mutate(change, kind.struct, random)
  return change
}

function changed(object: Json, kind: FuzzKind, random: Random): Json {
  if (random.chance(0.3)) return merged(object, structuredClone(random.pick(aboutAny)))
  mutate(object, kind.struct, random)
  return object
}

function merged(object: Json, change: Json): Json {
  const metadata = isObject(change.metadata)
    ? { ...Object(object.metadata), ...change.metadata }
    : change.metadata
  return { ...object, ...change, metadata: metadata ?? object.metadata }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes one member of an object: sets a value of its type or a wrong one, or removes it. */
function mutate(object: Json, struct: Struct | undefined, random: Random): void {
  const fields = [...(struct?.byName.values() ?? [])].filter(({ name }) => !untouched.has(name))
  if (fields.length === 0 || random.chance(0.02)) {
    object[random.pick(['surprise', 'Spec', 'data'])] = wrongValue(random)
    return
  }
  const field = random.pick(fields)
  const inner = elementOf(object[field.name], random)
  const type = field.type.form === 'list' ? field.type.of : field.type
  if (inner !== undefined && type.form === 'struct' && random.chance(0.85)) {
    mutate(inner, structNamed(type.name), random)
  } else if (random.chance(0.12)) delete object[field.name]
  else object[field.name] = random.chance(0.1) ? wrongValue(random) : randomValue(field.type, random)
}

const untouched = new Set(['metadata', 'kind', 'apiVersion'])

function elementOf(value: unknown, random: Random): Json | undefined {
  const found: unknown = Array.isArray(value) && value.length > 0 ? random.pick(value as unknown[]) : value
  return isObject(found) ? found : undefined
}

/** The operations of a JSON patch. */
export function randomSteps(options: BodyOptions, random: Random): unknown {
  if (random.chance(0.05)) return wrongValue(random)
  return Array.from({ length: 1 + random.below(3) }, () => randomStep(options, random))
}

const somePaths = [
  '/metadata/labels/team',
  '/metadata/labels',
  '/metadata/annotations',
  '/metadata/name',
  '/spec',
  '',
]

function randomStep({ kind }: BodyOptions, random: Random): unknown {
  const paths = [...pathsOf(kind.base), ...somePaths, '/nothing/here', 'relative', '/metadata/finalizers/-']
  const op = random.pick(['add', 'add', 'replace', 'replace', 'remove', 'test', 'copy', 'move', 'turn'])
  const path = random.pick(paths)
  if (op === 'copy' || op === 'move') return { op, from: random.pick(paths), path }
  return op === 'remove'
    ? { op, path }
    : { op, path, value: random.pick<unknown>(['a', 1, null, {}, [], true]) }
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, `${path}/${name.replaceAll('/', '~1')}`),
  )
  return path === '' ? inner : [path, ...inner]
}
