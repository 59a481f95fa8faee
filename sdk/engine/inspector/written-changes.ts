import type { AcceptedWrite } from '../client/client.js'
import { formatFieldPath } from '../kube/field-path.js'
import { differences, type JsonDifference } from '../kube/json-patch/differences.js'
import type { KubeObject } from '../kube/object.js'
import type { FieldChange } from './explanation-view.js'
import { firstLetters } from './first-letters.js'
import { redacted, redactedText } from './redact.js'

const comparison = { lists: 'aligned', maxDepth: 12, maxCount: 50, nullIsAbsent: true } as const
/** The most fields of one write that are remembered, and the most letters of each path and value. */
const max = { changes: 12, pathLetters: 200, letters: 80 }

/** The members of the metadata that an API server sets. */
const serverSet = ['resourceVersion', 'generation', 'managedFields', 'uid', 'creationTimestamp', 'selfLink']

/**
 * The fields that a write changed; undefined if the object was not known before, so that all of its fields are new. Of
 * a Secret the values are sizes and hashes.
 */
export function writtenChanges(
  written: AcceptedWrite,
  before: KubeObject | undefined,
): FieldChange[] | undefined {
  if (written.deleted || before === undefined) return undefined
  const { resource, object } = written
  const content = (one: KubeObject) => withoutServerSet(redacted(resource, one))
  return differences(content(before), content(object), comparison).slice(0, max.changes).map(changeOf)
}

function withoutServerSet({ metadata, ...rest }: KubeObject): object {
  const entries = Object.entries(metadata).filter(([name]) => !serverSet.includes(name))
  return { ...rest, metadata: Object.fromEntries(entries) }
}

function changeOf({ path, was, value }: JsonDifference): FieldChange {
  return {
    path: firstLetters(formatFieldPath(path), max.pathLetters),
    from: shown(path, was),
    to: shown(path, value),
  }
}

const shown = (path: JsonDifference['path'], value: unknown) =>
  value === undefined ? null : redactedText(path, value, max.letters)
