import { UsageError } from '../../terminal/usage-error.js'

/** The group, the version and the kind of custom resources. */
export interface Api {
  group: string
  version: string
  kind: string
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const form = new RegExp(
  `^(${label}(?:\\.${label})+)/(v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?)/([A-Z][A-Za-z0-9]*)$`,
)

/** Reads `GROUP/VERSION/KIND`. Throws `UsageError` for another text. */
export function parseApi(text: string): Api {
  const [, group, version, kind] = form.exec(text) ?? []
  if (group && version && kind) return { group, version, kind }
  throw new UsageError(`--api must be GROUP/VERSION/KIND such as cache.my.domain/v1/Memcached, got ${text}`)
}
