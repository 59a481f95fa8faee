import { stringifyJson } from '../../../sdk/engine/kube/json.js'
import type { PatchOperation } from '../../../sdk/engine/kube/json-patch/operation.js'
import { formatKey, keyOf } from '../../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { HookAnswer } from '../../../testing/cnpg/observed-caller.js'

/** Longest value in a line; a longer one is cut. */
const maxLength = 120

/** `Pod default/db-1`. */
export const kindAndKey = ({ kind = 'Object', metadata }: KubeObject) =>
  `${kind} ${formatKey(keyOf({ metadata }))}`

/** A line for each operation of the patch, `add /metadata/labels/team "shop"`, or one for the status. */
export function answerLines({ patch, status }: HookAnswer): string[] {
  if (status !== undefined) return [cut(status)]
  return patch.map(operationLine)
}

function operationLine(operation: PatchOperation): string {
  const { op, path } = operation
  return 'value' in operation ? `${op} ${path} ${cut(stringifyJson(operation.value))}` : `${op} ${path}`
}

const cut = (text: string) => (text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`)
