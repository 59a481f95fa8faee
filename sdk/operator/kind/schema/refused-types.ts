/** The reason why a kind cannot have a construct of zod, and the replacement. */
const cures: Readonly<Record<string, string>> = {
  tuple: 'has no counterpart in a CRD; use z.array(...) of one type, or an object with named fields',
  map: 'is not JSON; use z.record(z.string(), ...)',
  set: 'is not JSON; use k.listSet(...)',
  date: 'is not JSON; use z.iso.datetime()',
  bigint: 'is not JSON; use k.int64()',
  null: 'has no type in a CRD; use .nullable() on the other type',
  undefined: 'is not JSON; use .optional() on the other type',
  void: 'is not JSON; use .optional() on another type',
  never: 'accepts nothing; leave the field out',
  symbol: 'is not JSON; use z.string() or z.enum([...])',
  nan: 'is not JSON; use z.number()',
  file: 'is not JSON; use z.base64() or a reference to a ConfigMap',
  function: 'is not JSON; leave it out',
  promise: 'is not JSON; use the schema of its result',
  lazy: 'would need $ref, which a CRD cannot have; use z.unknown() for the recursive part and check it with validate',
  transform: 'changes values, which the API server does not; remove it, and change the value in reconcile',
  preprocess:
    'changes values before it checks them, which the API server does not; use the schema of the value that users write',
  codec:
    'changes values, which the API server does not; use its first schema, and decode the value in reconcile',
  pipe: 'checks a value by two schemas in a row, which a CRD cannot; write one schema with the checks of both',
  coerce: 'changes values, which the API server does not; use the schema without coerce',
  overwrite: 'changes values, which the API server does not; use .regex(...) to demand the form',
  catch: 'accepts what it would have to refuse; use .default(...) or .optional()',
  custom: 'is unknown to the API server; use k.rule(schema, cel), or a validate function',
  template_literal: 'has no counterpart in a CRD; use z.string().regex(...)',
  nonoptional: 'has no counterpart in a CRD; use the schema without .optional()',
  success: 'has no counterpart in a CRD; leave it out',
}

/** Why a construct is refused, with the cure. */
export function cureOf(construct: string): string {
  return cures[construct] ?? 'has no counterpart in a CRD; use another schema'
}
