// A plugin of TypeDoc: gives the pages of the site the titles of their headings, and the order of docs/README.md.
import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const index = resolve(root, 'docs/README.md')

/**
 * The heading of the index under which each page is first linked, by the path of the page from the root.
 * @param {string} markdown
 * @returns {Map<string, string>}
 */
export function pageGroups(markdown) {
  /** @type {Map<string, string>} */
  const groups = new Map()
  for (const section of markdown.split(/^## /m).slice(1)) {
    const [heading = ''] = section.split('\n', 1)
    for (const [, target = ''] of section.matchAll(/\]\(([^)#\s]+\.md)/g)) {
      const page = relative(root, resolve(dirname(index), target))
      if (!groups.has(page)) groups.set(page, heading)
    }
  }
  return groups
}

/**
 * The group of a page. Pages that the index does not link are details of a page that it links.
 * @param {string} page
 * @param {Map<string, string>} groups
 */
function groupOf(page, groups) {
  if (page === 'docs/README.md') return 'Start'
  if (page.startsWith('docs/adr/')) return groups.get('docs/adr/README.md')
  if (page.startsWith('examples/')) return 'Examples'
  return groups.get(page) ?? 'Reference'
}

/**
 * @param {import('typedoc').Application} app
 */
export async function load(app) {
  const { Comment, CommentTag } = await import('typedoc')
  const groups = pageGroups(readFileSync(index, 'utf8'))
  const places = new Map(['docs/README.md', ...groups.keys()].map((page, place) => [page, place]))
  /** @param {import('typedoc').Reflection} reflection */
  const pathOf = (reflection) => relative(root, reflection.project.files.getReflectionPath(reflection) ?? '')
  /** @param {import('typedoc').Reflection} reflection */
  const placeOf = (reflection) => places.get(pathOf(reflection)) ?? places.size
  app.converter.on('createDocument', (_, document) => {
    const page = pathOf(document)
    document.frontmatter.group = groupOf(page, groups)
    const [, title = document.name] = /^# (.*)$/m.exec(readFileSync(resolve(root, page), 'utf8')) ?? []
    document.name = title.replaceAll('`', '')
  })
  app.converter.on('resolveBegin', ({ project }) => {
    for (const pages of [project.documents, project.childrenIncludingDocuments])
      pages?.sort((one, other) => placeOf(one) - placeOf(other))
    // Without a name of their own, the entry points are a group that is called Modules, as a guide is.
    for (const entry of project.children ?? []) {
      entry.comment ??= new Comment()
      entry.comment.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: 'API' }]))
    }
  })
}
