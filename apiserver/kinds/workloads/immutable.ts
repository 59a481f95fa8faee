import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { selectorInGo } from '../selector-errors.js'

/** An error for each changed immutable field of a spec; `ValidateImmutableField`. */
export function immutableErrors(spec: object, old: object, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => {
    const value = (spec as Record<string, unknown>)[name]
    const before = (old as Record<string, unknown>)[name]
    if (jsonEqual(value ?? null, before ?? null)) return []
    const valueInGo = name === 'selector' && value ? selectorInGo(value) : (value ?? null)
    return [invalidValue(`spec.${name}`, valueInGo, 'field is immutable')]
  })
}
