import { isContainer } from '../../../engine/kube/json-object.js'

/**
 * The number of values of a spec up to which it is converted with its schema, which checks each of them several times:
 * an object of 1.5 MB with 500,000 values would stop all other work for seconds.
 */
const maxValues = 20_000

/** An object has too many values to be converted. */
export class TooManyValuesError extends RangeError {
  override readonly name = 'TooManyValuesError'
}

/** Throws {@link TooManyValuesError} for a value with too many members and items, at all depths. */
export function checkValueCount(value: unknown): void {
  const open = [value]
  for (let count = 0; open.length > 0; ) {
    const next = open.pop()
    if (!isContainer(next)) continue
    const members = Object.values(next)
    count += members.length
    if (count > maxValues)
      throw new TooManyValuesError(
        `the spec has more than ${maxValues} values: the fields that only one version has are lost; divide the object, or let its clients use one version`,
      )
    for (const member of members) open.push(member)
  }
}
