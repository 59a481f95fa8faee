import { safeConcatName, sha256Hex } from '../../engine/kube/concat-name.js'

/**
 * The host name of a namespaced virtual object; `''` for an empty name.
 *
 * @example
 * ```ts
 * const name = hostName('greeting', 'default', 'vc')
 * console.log(name) // greeting-x-default-x-vc
 * console.log(hostName('', 'default', 'vc')) // an empty text
 * ```
 */
export function hostName(name: string, namespace: string, vclusterName: string): string {
  return name === '' ? '' : safeConcatName(name, 'x', namespace, 'x', vclusterName)
}

/**
 * The host name of a cluster-scoped virtual object; `''` for an empty name.
 *
 * @example
 * ```ts
 * const name = hostNameClusterScoped('high', 'team-x', 'vc')
 * console.log(name) // vcluster-high-x-team-x-x-vc
 * console.log(hostNameClusterScoped('', 'team-x', 'vc')) // an empty text
 * ```
 */
export function hostNameClusterScoped(name: string, hostNamespace: string, vclusterName: string): string {
  return name === '' ? '' : safeConcatName('vcluster', name, 'x', hostNamespace, 'x', vclusterName)
}

/**
 * A host name of 14 characters, for kinds that need it; `''` for an empty name. Since vcluster 0.21.
 *
 * @example
 * ```ts
 * const name = hostNameShort('greeting', 'default', 'vc')
 * console.log(name.length) // 14
 * console.log(name === hostNameShort('greeting', 'default', 'vc')) // true
 * ```
 */
export function hostNameShort(name: string, namespace: string, vclusterName: string): string {
  if (name === '') return ''
  const digest = sha256Hex(`${name}-x-${namespace}-x-${vclusterName}`)
  return `v${base36(digest).slice(0, 13)}`
}

/** A host name of 8 hex digits, as vcluster 0.20 makes it; `''` for an empty name. */
export function hostNameShortHex(name: string, namespace: string, vclusterName: string): string {
  return name === '' ? '' : sha256Hex(`${name}-x-${namespace}-x-${vclusterName}`).slice(0, 8)
}

/** The ConfigMap that Kubernetes creates in each namespace, so that this name is taken on the host. */
const rootCa = 'kube-root-ca.crt'

/**
 * The host name if each virtual namespace has its own host namespace: the virtual name. Only `kube-root-ca.crt`, which
 * the host namespace has already, gets another name (`pkg/mappings/resources/configmaps.go` @ vcluster v0.21.0).
 *
 * @example
 * ```ts
 * console.log(hostNameOwnNamespace('greeting', 'vc')) // greeting
 * const rootCa = hostNameOwnNamespace('kube-root-ca.crt', 'vc')
 * console.log(rootCa === 'kube-root-ca.crt') // false: the host namespace has it already
 * ```
 */
export function hostNameOwnNamespace(name: string, vclusterName: string): string {
  return name === rootCa ? safeConcatName('vcluster', name, 'x', vclusterName) : name
}

/**
 * The host namespace of a virtual namespace, if each has its own: vcluster 0.14 to 0.25 with `multiNamespaceMode`
 * (`pkg/util/translate/multi_namespace.go` @ vcluster v0.20.1).
 *
 * @example
 * ```ts
 * const one = hostNamespaceOf('default', 'vcluster-vc', 'vc')
 * const other = hostNamespaceOf('team', 'vcluster-vc', 'vc')
 * console.log(one === other) // false
 * ```
 */
export function hostNamespaceOf(namespace: string, currentNamespace: string, vclusterName: string): string {
  const [its, ours] = [namespace, `${currentNamespace}x${vclusterName}`].map((text) =>
    sha256Hex(text).slice(0, 8),
  )
  return `vcluster-${its}-${ours}`
}

/**
 * The marker label's value on copies of cluster-scoped objects; on other copies the value is the vcluster's name.
 *
 * @example
 * ```ts
 * const marker = clusterScopedMarker('team', 'vc')
 * console.log(marker) // team-x-vc
 * console.log(marker === clusterScopedMarker('other', 'vc')) // false
 * ```
 */
export function clusterScopedMarker(hostNamespace: string, vclusterName: string): string {
  return safeConcatName(hostNamespace, 'x', vclusterName)
}

/** Converts a big-endian hex number to base 36, with a leading zero for each leading zero byte. */
function base36(hex: string): string {
  const zeroBytes = (/^(00)*/.exec(hex)?.[0].length ?? 0) / 2
  return '0'.repeat(zeroBytes) + BigInt(`0x${hex}`).toString(36)
}
