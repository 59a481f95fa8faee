// The namespaces of the ConfigMaps that programs may come from. Their writers decide what code runs in the namespace of
// the operator.
import type { OwnNamespace } from '../../../engine/manager/unit-source.js'
import type { NamedObject } from '../../kinds/module.js'
import { ProgramError } from '../../program/program-error.js'

/** Namespaces, or all of them. */
export type ProgramNamespaces = readonly string[] | 'all-namespaces'

/** The default namespaces: that of the operator, or none if the operator is in another cluster than the Modules. */
export function defaultNamespaces(
  { cluster, namespace }: OwnNamespace,
  home: OwnNamespace['cluster'],
): string[] {
  return cluster.name === home.name ? [namespace] : []
}

/** Throws a `ProgramError` for a ConfigMap that a program must not come from. */
export function checkProgramNamespace(
  { namespace, name }: Pick<NamedObject, 'namespace' | 'name'>,
  allowed: ProgramNamespaces,
): void {
  if (allowed === 'all-namespaces' || allowed.includes(namespace)) return
  const allowedText =
    allowed.length > 0 ? `only from ConfigMaps of ${allowed.join(', ')}` : 'from no ConfigMaps'
  throw new ProgramError(
    'PROGRAM_NOT_ALLOWED',
    `ConfigMap ${namespace}/${name}: programs are loaded ${allowedText}; set programs.configMapNamespaces in the options of moduleControllers to allow others`,
  )
}
