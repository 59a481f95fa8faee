import fc from 'fast-check'
import * as z from 'zod'
import { k } from '../../sdk/operator/kind/k/k.js'

/** A schema, and values that it may accept or refuse. */
export interface SchemaCase {
  readonly schema: z.ZodType
  readonly values: readonly unknown[]
}

/** A schema with an arbitrary for values that are near to it. */
interface Source {
  readonly schema: z.ZodType
  readonly value: fc.Arbitrary<unknown>
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'Z', '0', '-', '.'), maxLength: 6 })
const bound = fc.integer({ min: 0, max: 5 })
/** Values of any type. `null` is left out: the API server drops it instead of refusing it. */
const otherType = fc.constantFrom<unknown>('', 'a', 0, 1.5, -3, true, {}, [], { a: 1 }, ['a'])
const nearly = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 20, arbitrary: value }, { weight: 1, arbitrary: otherType })

/** A kube-apiserver takes a list for a text with a format, so values for one are never lists. */
const formatted = (value: fc.Arbitrary<unknown>) => nearly(value).filter((one) => !Array.isArray(one))

const texts: fc.Arbitrary<Source> = fc
  .tuple(bound, bound, fc.constantFrom(undefined, /^[a-z]/, /[0-9]$/, /^[^.]*$/))
  .map(([min, more, pattern]) => {
    const schema = z
      .string()
      .min(min)
      .max(min + more)
    return { schema: pattern ? schema.regex(pattern) : schema, value: nearly(word) }
  })

const numbers: fc.Arbitrary<Source> = fc
  .tuple(fc.integer({ min: -5, max: 5 }), bound, fc.boolean(), fc.constantFrom(1, 2, 3))
  .map(([min, more, isExclusive, factor]) => {
    const lower = isExclusive ? z.int().gt(min) : z.int().min(min)
    const schema = lower.max(min + more)
    return {
      schema: factor === 1 ? schema : schema.multipleOf(factor),
      value: nearly(fc.integer({ min: -7, max: 12 })),
    }
  })

const choices: fc.Arbitrary<Source> = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'Z', '-'), { minLength: 1, maxLength: 3 })
  .map((values) => ({ schema: z.enum(values as [string, ...string[]]), value: nearly(word) }))

const fixed: fc.Arbitrary<Source> = fc.constantFrom<Source>(
  { schema: z.boolean(), value: nearly(fc.boolean()) },
  { schema: k.quantity(), value: nearly(fc.constantFrom('1', '500m', '1Gi', '1x', 3, '-')) },
  { schema: k.intOrString({ pattern: /^[0-9]+%$/ }), value: nearly(fc.constantFrom('1%', '1', 5)) },
  { schema: k.duration(), value: formatted(fc.constantFrom('1h', '90s', '1', 'PT1H')) },
  { schema: z.iso.date(), value: formatted(fc.constantFrom('2024-02-29', '2023-02-29', '2024-1-1')) },
)

const leaves = fc.oneof(texts, numbers, choices, fixed)

/** Wraps a schema in ways that the API server knows. */
const wrapped = (source: fc.Arbitrary<Source>): fc.Arbitrary<Source> =>
  fc.tuple(source, fc.constantFrom('', '', 'nullable', 'readonly')).map(([{ schema, value }, wrap]) => {
    if (wrap === 'nullable')
      return {
        schema: schema.nullable(),
        value: fc.oneof({ weight: 4, arbitrary: value }, fc.constant(null)),
      }
    return { schema: wrap === 'readonly' ? schema.readonly() : schema, value }
  })

const listOf = ([{ schema, value }, min, more]: [Source, number, number]): Source => ({
  schema: z
    .array(schema)
    .min(min)
    .max(min + more),
  value: nearly(fc.array(value, { maxLength: 6 })),
})

const setOf = ([{ schema, value }]: [Source]): Source => ({
  schema: k.listSet(schema),
  value: nearly(fc.array(value, { maxLength: 4 })),
})

const mapOf = ([{ schema, value }, max]: [Source, number]): Source => ({
  schema: k.record(z.string().regex(/^[a-z]*$/), schema, { maxProperties: max + 1 }),
  value: nearly(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'Z'), value, { maxKeys: 4 })),
})

/** How a field may be absent. */
type Absence = 'required' | 'optional'

const objectOf = (fields: readonly (readonly [Source, Absence])[]): Source => {
  const named = fields.map(([source, absence], at) => ({ ...source, name: `f${at}`, absence }))
  const shape = Object.fromEntries(
    named.map(({ name, schema, absence }) => [name, absence === 'optional' ? schema.optional() : schema]),
  )
  const members = Object.fromEntries(named.map(({ name, value }) => [name, value]))
  const required = named.filter(({ absence }) => absence === 'required').map(({ name }) => name)
  const whole = fc.record(members, { requiredKeys: required })
  const partial = fc.record(members, { requiredKeys: [] })
  return { schema: z.object(shape), value: nearly(fc.oneof({ weight: 4, arbitrary: whole }, partial)) }
}

const oneOfThem = ([a, b]: [Source, Source]): Source => ({
  schema: k.oneOf({ a: a.schema, b: b.schema }),
  value: nearly(
    fc.oneof(
      fc.record({ a: a.value }),
      fc.record({ b: b.value }),
      fc.record({ a: a.value, b: b.value }, { requiredKeys: [] }),
    ),
  ),
})

const tagged = ([a, b]: [Source, Source]): Source => ({
  schema: z.discriminatedUnion('t', [
    z.strictObject({ t: z.literal('x'), a: a.schema }),
    z.strictObject({ t: z.enum(['y', 'z']), b: b.schema.optional() }),
  ]),
  value: nearly(
    fc.oneof(
      fc.record({ t: fc.constantFrom('x', 'y', 'q'), a: a.value }),
      fc.record({ t: fc.constantFrom('x', 'z'), b: b.value }, { requiredKeys: ['t'] }),
    ),
  ),
})

const { source: sources } = fc.letrec<{ source: Source }>((tie) => ({
  source: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schemas' },
    wrapped(leaves),
    wrapped(fc.tuple(tie('source'), bound, bound).map(listOf)),
    wrapped(fc.tuple(fc.oneof(texts, numbers, choices)).map(setOf)),
    wrapped(fc.tuple(tie('source'), bound).map(mapOf)),
    wrapped(
      fc
        .array(fc.tuple(tie('source'), fc.constantFrom<Absence>('required', 'optional')), { maxLength: 4 })
        .map(objectOf),
    ),
    wrapped(fc.tuple(tie('source'), tie('source')).map(oneOfThem)),
    wrapped(fc.tuple(leaves, leaves).map(tagged)),
  ),
}))

/** Generated schemas with ten values each. */
export const schemaCases: fc.Arbitrary<SchemaCase> = sources.chain(({ schema, value }) =>
  fc.array(value, { minLength: 10, maxLength: 10 }).map((values) => ({ schema, values })),
)
