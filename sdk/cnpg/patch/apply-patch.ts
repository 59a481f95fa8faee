import { cloneJson } from '../../engine/kube/json.js'
import type { PatchOperation } from './create-patch.js'

type Container = Record<string, unknown> | unknown[]

/**
 * Applies a patch to a copy of a document, as strictly as the operator's library does: a parent must exist, and so must
 * what is removed or replaced. Throws an `Error` with the operation that does not apply.
 */
export function applyPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  const root = { document: cloneJson(document) }
  for (const operation of operations) apply(root, operation)
  return root.document
}

function apply(root: { document: unknown }, operation: PatchOperation): void {
  const keys = ['document', ...operation.path.split('/').slice(1).map(unescaped)]
  const parent = keys.slice(0, -1).reduce<unknown>((node, key) => read(node, key, operation), root)
  const key = keys.at(-1) ?? ''
  if (!isContainer(parent)) throw failed(operation, 'its parent is not an object or a list')
  if (operation.op !== 'add') read(parent, key, operation)
  if (Array.isArray(parent)) changeItem(parent, key, operation)
  else changeMember(parent, key, operation)
}

function changeItem(list: unknown[], key: string, operation: PatchOperation): void {
  const at = key === '-' ? list.length : Number(key)
  if (!Number.isInteger(at) || at < 0 || at > list.length)
    throw failed(operation, 'the list has no such index')
  if (operation.op === 'remove') list.splice(at, 1)
  else list.splice(at, operation.op === 'add' ? 0 : 1, cloneJson(operation.value))
}

function changeMember(object: Record<string, unknown>, key: string, operation: PatchOperation): void {
  if (operation.op === 'remove') delete object[key]
  else
    Object.defineProperty(object, key, {
      value: cloneJson(operation.value),
      configurable: true,
      enumerable: true,
      writable: true,
    })
}

function read(node: unknown, key: string, operation: PatchOperation): unknown {
  if (!isContainer(node) || !Object.hasOwn(node, key)) throw failed(operation, 'there is nothing at its path')
  return (node as Record<string, unknown>)[key]
}

const unescaped = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const failed = ({ op, path }: PatchOperation, why: string) =>
  new Error(`${op} of ${path || 'the document'} does not apply: ${why}`)
