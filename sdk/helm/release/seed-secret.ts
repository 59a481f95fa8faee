import type { Secret } from '../../engine/kube/builtin.js'

/** The type of the Secret with the seed of a release. */
export const seedType = 'vcluster-plugin-sdk/random-seed'

const prefix = 'sh.helm.seed.v1.'

/** The key of the Secret with the seed of a release, next to its revisions. */
export const seedKey = ({ namespace, name }: { namespace: string; name: string }) => ({
  namespace,
  name: `${prefix}${name}`,
})

/** The release that a Secret is the seed of; undefined if it is none. */
export function releaseOfSeed({ type, metadata: { name = '' } }: Secret): string | undefined {
  return type === seedType && name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}
