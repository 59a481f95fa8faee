import type { OpenObject } from '../base/object.js'
import { textAt } from '../base/object.js'
import { type DefinedVersion, namesOf, versionsOf } from './definition/definition.js'
import { compareVersions } from './version-order.js'

/**
 * The warning for callers of a deprecated version of a custom resource; undefined for a version that is not
 * deprecated.
 */
export function deprecationOf(definition: OpenObject, version: DefinedVersion): string | undefined {
  if (version.deprecated !== true) return undefined
  if (version.deprecationWarning) return version.deprecationWarning
  const group = textAt(definition, 'spec', 'group')
  const { kind } = namesOf(definition, 'spec')
  const [better] = versionsOf(definition)
    .filter(
      ({ name, served, deprecated }) => served && !deprecated && compareVersions(name, version.name) < 0,
    )
    .sort((a, b) => compareVersions(a.name, b.name))
  const message = `${group}/${version.name} ${kind} is deprecated`
  return better ? `${message}; use ${group}/${better.name} ${kind}` : message
}
