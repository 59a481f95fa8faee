/** An operation of a JSON Patch does not apply. The message names the operation, and contains no values. */
export class JsonPatchError extends Error {
  override readonly name: string = 'JsonPatchError'
}

/** The `test` of a JSON Patch does not hold. */
export class FailedTestError extends JsonPatchError {
  override readonly name = 'FailedTestError'
}
