import { type Field, structNamed, type ValueType } from '../../../apiserver/schema/schema.js'
import type { Random } from './random.js'

/** Strings that are valid in some field, and some that are valid in none. */
const texts = [
  ...[
    '',
    'a',
    'b',
    'name',
    'Bad_Name',
    'with space',
    'example.com/one',
    'a.b',
    '1',
    '-',
    'é',
    'n'.repeat(64),
  ],
  ...[
    'Always',
    'Never',
    'IfNotPresent',
    'OnFailure',
    'TCP',
    'UDP',
    'tcp',
    'HTTP',
    'ClusterIP',
    'NodePort',
    'None',
  ],
  ...['Recreate', 'RollingUpdate', 'OnDelete', 'Retain', 'Delete', 'ReadWriteOnce', 'Filesystem', 'Block'],
  ...[
    'Exact',
    'Prefix',
    'Ingress',
    'Egress',
    'In',
    'Exists',
    'DoesNotExist',
    'Allow',
    'Forbid',
    'Local',
    'Cluster',
  ],
  ...[
    'IPv4',
    'IPv6',
    '10.0.0.1',
    '10.0.0.0/24',
    'fd00::1',
    '*/5 * * * *',
    '5m',
    'Service',
    'ConfigMap',
    'User',
    'get',
  ],
]
const numbers = [0, 1, 2, 3, 10, 80, 100, 443, 8080, 65_535, 65_536, -1, 2_147_483_647, 2_147_483_648]
const quantities = ['1', '100m', '1Gi', '0', '-1', '1.5', '1e3', 'many', '', '0.5m']
const maxDepth = 3

/** Values of the right type, not all of them valid. */
const scalars: Readonly<Record<string, (random: Random) => unknown>> = {
  string: (random) => random.pick(texts),
  bool: (random) => random.chance(0.5),
  int: (random) => random.pick(numbers),
  float: (random) => random.pick([0, 0.5, 1, 1.5]),
  bytes: (random) => random.pick(['', 'YQ==', 'YWI=', 'not base64']),
  time: (random) => random.pick(['2020-01-01T00:00:00Z', '2020-01-01', null]),
  microTime: (random) => random.pick(['2020-01-01T00:00:00.000000Z', '2020-01-01T00:00:00Z']),
  duration: (random) => random.pick(['1s', '5m', 'soon']),
  quantity: (random) => random.pick([...quantities, 1, 2.5]),
  intOrString: (random) => random.pick<unknown>([1, 80, '50%', 'http', '150%', '1', -1]),
  json: (random) => random.pick<unknown>([{}, { a: 1 }, 'a', 1]),
  anything: (random) => random.pick<unknown>([{}, { a: 1 }]),
}

const wrong: readonly unknown[] = [null, 'a', '', 1, 1.5, true, [], {}, ['a'], { a: 'b' }, [null]]

/** A value of a type; sometimes one of another type. */
export function randomValue(type: ValueType, random: Random, depth = maxDepth): unknown {
  if (random.chance(0.04)) return random.pick([...wrong, 'wrong'])
  if (type.form === 'list') {
    return depth <= 0
      ? []
      : Array.from({ length: random.below(3) }, () => randomValue(type.of, random, depth - 1))
  }
  if (type.form === 'map') {
    return depth <= 0 ? {} : { [random.pick(texts.slice(1))]: randomValue(type.of, random, depth - 1) }
  }
  if (type.form === 'struct') return depth <= 0 ? {} : randomStruct(type.name, random, depth)
  return scalars[type.form]?.(random) ?? {}
}

function randomStruct(name: string, random: Random, depth: number): Record<string, unknown> {
  const fields = [...structNamed(name).byName.values()]
  if (fields.length === 0) return {}
  const chosen = Array.from({ length: 1 + random.below(3) }, (): Field => random.pick(fields))
  return Object.fromEntries(chosen.map((field) => [field.name, randomValue(field.type, random, depth - 1)]))
}

/** A value that almost no field accepts. */
export function wrongValue(random: Random): unknown {
  return random.pick([...wrong, 'wrong'])
}
