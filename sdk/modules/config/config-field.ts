import * as z from 'zod'

const common = {
  /** Whether a value must be given. */
  required: z.boolean().default(false),
  /** Whether a value may be given. */
  editable: z.boolean().default(true),
  /** Whether the value is kept out of messages and annotations. */
  secret: z.boolean().default(false),
}
const values = z.array(z.string()).min(1, 'must have at least one value')
const integer = z.int('must be an integer')
const count = integer.min(0)

/** The specification of each type, as both spellings have it. */
export const fieldSpecs = {
  string: z.strictObject({ ...common, default: z.string().default(''), regex: z.string().optional() }),
  integer: z.strictObject({
    ...common,
    default: integer.default(0),
    min: integer.optional(),
    max: integer.optional(),
  }),
  float: z.strictObject({
    ...common,
    default: z.number().default(0),
    min: z.number().optional(),
    max: z.number().optional(),
  }),
  boolean: z.strictObject({ ...common, default: z.boolean().default(false) }),
  option: z.strictObject({ ...common, default: z.string().default(''), values }),
  'multiple-options': z.strictObject({
    ...common,
    default: z.array(z.string()).default([]),
    values,
    min: count.optional(),
    max: count.optional(),
  }),
} as const

/** The type of a value of a configuration. */
export type ConfigType = keyof typeof fieldSpecs

/** The rules of a value. */
export type FieldSpec<Type extends ConfigType = ConfigType> = z.output<(typeof fieldSpecs)[Type]>

/** One value that a configuration may have. */
export type ConfigField = {
  readonly [Type in ConfigType]: {
    readonly type: Type
    readonly name: string
    /** The key of the value. */
    readonly alias: string
    readonly spec: FieldSpec<Type>
  }
}[ConfigType]
