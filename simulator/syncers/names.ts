import { createHash } from 'node:crypto'
import type { Key } from '../../sdk/engine/kube/key.js'
import { hashedLabelPrefix } from './metadata-keys.js'

/** The maximum length of a name, in bytes. */
const maxNameLength = 63
/** The number of bytes of a longer name that are kept before the hash. */
const keptOfLongName = 52
/** The number of hex digits of a hash. */
const hashDigits = 10

/** The name of the copy of a namespaced object, `greeting-x-default-x-vc`; `''` for an object without a name. */
export function hostNameOf({ namespace, name }: Key, vclusterName: string): string {
  return name && concatName([name, 'x', namespace, 'x', vclusterName])
}

/** The label key on the host for `key`: `vcluster.loft.sh/label-vc-x-a172cedcae` for `app`. */
export function hashedLabelKey(
  key: string,
  vclusterName: string,
  prefix: string = hashedLabelPrefix,
): string {
  return concatName([prefix, vclusterName, 'x', hashOf(key)])
}

/** `SafeConcatName`: joins the parts with dashes. A name that is too long ends with a hash of the whole. */
function concatName(nameParts: readonly string[]): string {
  const joined = Buffer.from(nameParts.join('-'))
  if (joined.length <= maxNameLength) return joined.toString()
  const shortened = `${joined.subarray(0, keptOfLongName)}-${hashOf(joined)}`
  return shortened.split('.-').join('-')
}

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex').slice(0, hashDigits)
