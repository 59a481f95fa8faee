const label = '[a-zA-Z0-9]+(?:-+[a-zA-Z0-9]+)*'
const domain = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const pathComponent = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const digestPattern = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
/** The reference of an image: a registry, a path, a tag and a digest. */
const reference = new RegExp(
  `^${domain}/(${pathComponent}(?:/${pathComponent})*)(?::(\\w[\\w.-]{0,127}))?(?:@(${digestPattern}))?$`,
)
const maxPath = 255

/**
 * The tag of an image: `latest` without tag and digest, none for a text that is not the reference of an image;
 * `ParseImageName` of Kubernetes v1.36.3, which reads references as github.com/distribution/reference does.
 */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return ''
  const [, path, tag, digest] = reference.exec(withDomain(image)) ?? []
  if (path === undefined || path.length > maxPath) return ''
  return tag ?? (digest === undefined ? 'latest' : '')
}

const hub = 'docker.io'

/** The image with its registry; `docker.io` for a name without a registry. */
function withDomain(image: string): string {
  const slash = image.indexOf('/')
  const first = slash < 0 ? '' : image.slice(0, slash)
  const isDomain = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first
  if (isDomain) return image
  return slash < 0 ? `${hub}/library/${image}` : `${hub}/${image}`
}
