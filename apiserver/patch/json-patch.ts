import { ApiError } from '../../sdk/engine/kube/error.js'
import { isContainer } from '../../sdk/engine/kube/json-object.js'
import { PatchedDocument, type UncheckedOperation } from '../../sdk/engine/kube/json-patch/apply-patch.js'
import { FailedTestError, JsonPatchError } from '../../sdk/engine/kube/json-patch/json-patch-error.js'
import { maxBodyBytes } from '../request/body.js'
import { failure, tooLarge } from '../request/status.js'

/** The maximum number of operations of a patch, as on a real server. */
const maxOperations = 10_000

/**
 * Error for a patch whose `test` does not hold. Clients see the same error as for any failed patch; mutating admission
 * policies catch this class and leave the object unchanged.
 */
export class FailedTest extends ApiError {}

/**
 * Applies a JSON patch (RFC 6902) to a copy of a document. Throws 422 if an operation fails, or if repeated copies
 * exceed the size of a request, and 413 for too many operations.
 */
export function applyJsonPatch(document: unknown, operations: readonly UncheckedOperation[]): unknown {
  if (operations.length > maxOperations) {
    const countText = `got ${operations.length}`
    throw tooLarge(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, ${countText}`,
    )
  }
  const patched = new PatchedDocument(document, { missingIsNull: true, maxCopiedCharacters: maxBodyBytes })
  for (const operation of operations) applyOperation(patched, operation)
  return patched.document
}

function applyOperation(patched: PatchedDocument, operation: UncheckedOperation): void {
  if (operation.path === '' && !mayTargetDocument(operation)) throw patchRejectionError()
  try {
    patched.apply(operation)
  } catch (error) {
    if (error instanceof FailedTestError) throw new FailedTest(patchRejectionError().status)
    throw error instanceof JsonPatchError ? patchRejectionError() : error
  }
}

/** The library of a real server supports only `replace`, by an object or a list, and `test` of the whole document. */
function mayTargetDocument({ op, value }: UncheckedOperation): boolean {
  return op === 'test' || (op === 'replace' && isContainer(value))
}

/** 422 without the failed operation, as on the real server. */
function patchRejectionError() {
  const message = 'the server rejected our request due to an error in our request'
  return failure(422, message, { reason: 'Invalid', details: {} })
}
