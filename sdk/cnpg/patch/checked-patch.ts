import { jsonEqual } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import { applyPatch } from '../../engine/kube/json-patch/apply-patch.js'
import { createPatch } from '../../engine/kube/json-patch/create-patch.js'
import { differences } from '../../engine/kube/json-patch/differences.js'
import type { PatchOperation } from '../../engine/kube/json-patch/operation.js'
import { formatPointer } from '../../engine/kube/json-patch/pointer.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { HookError } from '../calls/hook-error.js'

/** The fields that identify the object; a hook may change everything else. */
const identityFields = [
  ['apiVersion'],
  ['kind'],
  ['metadata', 'name'],
  ['metadata', 'generateName'],
  ['metadata', 'namespace'],
  ['metadata', 'uid'],
] as const

/**
 * The patch from an object to the result of a hook. Throws {@link HookError} `INTERNAL` if the hook changed the
 * identity of the object or wrote labels or annotations that are not strings, or if the patch does not apply or does
 * not give exactly the result of the hook.
 */
export function checkedPatch<T extends KubeObject>(original: T, changed: T): PatchOperation[] {
  if (!isJsonObject(changed)) throw internalError(original, noObjectProblem(changed))
  const patch = createPatch(original, changed)
  if (patch.length === 0) return patch
  for (const path of identityFields)
    if (!jsonEqual(memberAt(original, path), memberAt(changed, path)))
      throw internalError(
        original,
        `the hook must not change ${path.join('.')}; leave it as the hook was given it`,
      )
  for (const field of ['labels', 'annotations']) {
    const problem = textMapProblem(`metadata.${field}`, memberAt(changed, ['metadata', field]))
    if (problem !== undefined) throw internalError(original, `the hook set ${problem}`)
  }
  const applied = apply(original, patch)
  if (!jsonEqual(applied, changed))
    throw internalError(
      original,
      `the patch does not give what the hook made, at ${firstPath(applied, changed)}`,
    )
  return patch
}

/** Why a value cannot be labels or annotations, which may be absent; undefined if it can. The value is not quoted. */
function textMapProblem(path: string, value: unknown): string | undefined {
  if (value === null) return undefined
  if (!isJsonObject(value)) return `${path} to ${typeOf(value)}; set it to an object of strings`
  const [name, wrong] = Object.entries(value).find(([, text]) => typeof text !== 'string') ?? []
  if (name === undefined) return undefined
  return `${path}[${JSON.stringify(name)}] to ${typeOf(wrong)}; set it to a string, for example with String(value)`
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The problem of a hook that returned no object; a hook without types can return anything. */
const noObjectProblem = (value: unknown) =>
  `the hook returned ${typeOf(value)}, not the object; return the whole object, or nothing after an edit`

/** The first place where two values differ, as a JSON pointer. */
export function firstPath(before: unknown, after: unknown): string {
  return formatPointer(differences(before, after, { lists: 'aligned', maxCount: 1 })[0]?.path ?? [])
}

function apply(original: KubeObject, patch: readonly PatchOperation[]): unknown {
  try {
    return applyPatch(original, patch)
  } catch (cause) {
    throw internalError(original, `the patch of the hook does not apply: ${(cause as Error).message}`)
  }
}

function memberAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce((node, name) => Object(node)[name] as unknown, object) ?? null
}

/** An error about an object, with its kind and name. */
export function internalError({ kind, metadata }: KubeObject, why: string): HookError {
  return new HookError(`${kind} ${metadata.namespace}/${metadata.name ?? metadata.generateName}: ${why}`, {
    code: 'INTERNAL',
  })
}
