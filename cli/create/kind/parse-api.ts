import { UsageError } from '../../terminal/usage-error.js'

/** The group, the version and the kind of custom resources. */
export interface Api {
  group: string
  version: string
  kind: string
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'

/** The form of each part, and its rule in words. */
const parts = [
  [new RegExp(`^${label}(?:\\.${label})+$`), 'the group is a domain name in lower case, with a dot'],
  [/^v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?$/, 'the version is one such as v1, v1beta1 or v1alpha1'],
  [/^[A-Z][A-Za-z0-9]*$/, 'the kind begins with a capital letter, and has only letters and digits'],
] as const

/** Reads `GROUP/VERSION/KIND`. Throws `UsageError` for another text, with the rule that it breaks. */
export function parseApi(text: string): Api {
  const [group = '', version = '', kind = '', ...surplus] = text.split('/')
  const stated = [group, version, kind]
  const brokenRule = parts.find(([form], index) => !form.test(stated[index] ?? ''))
  if (brokenRule === undefined && surplus.length === 0) return { group, version, kind }
  const rule = brokenRule === undefined || stated.includes('') ? 'it needs three parts' : brokenRule[1]
  throw new UsageError(
    `--api must be GROUP/VERSION/KIND such as cache.my.domain/v1/Memcached, got ${JSON.stringify(text)}: ${rule}`,
  )
}
