import { pluralOf } from '../../../../sdk/operator/kind/define/plural.js'
import { UsageError } from '../../../terminal/usage-error.js'
import { namesOfKind, withArticle } from '../../kind/names.js'
import type { Api } from '../../kind/parse-api.js'

/** The API in the texts of the templates. */
export const templateApi: Api = { group: 'web.example.com', version: 'v1alpha1', kind: 'Website' }

/**
 * Words that the code of the templates needs, or that JavaScript reserves: an object of the kind cannot have such a
 * name.
 */
const reservedWords = new Set(
  `break case catch class const continue debugger default delete deployment do else enum export extends false finally for function
   if implements import in instanceof interface let live new null package private protected public ready return static super
   switch this throw true try typeof var void while with yield`.split(/\s+/),
)

/**
 * Returns a function that replaces the API in the text of a template by another one. Throws `UsageError` for a kind
 * whose name the code needs.
 */
export function forApi(api: Api): (text: string) => string {
  const { kind, group, version } = api
  const { singular, pluralName, file } = namesOfKind({ kind, plural: pluralOf(kind) })
  if (reservedWords.has(singular))
    throw new UsageError(
      `--api cannot name the kind ${kind}, because the generated code needs the word ${singular}; choose another kind`,
    )
  const replacements: Record<string, string> = {
    [templateApi.group]: group,
    [templateApi.version]: version,
    'a Website': withArticle(kind),
    'A Website': withArticle(kind).replace('a', 'A'),
    Website: kind,
    'website-controller': `${file}-controller`,
    websites: pluralName,
    website: singular,
  }
  const pattern = new RegExp(Object.keys(replacements).join('|').replaceAll('.', '\\.'), 'g')
  return (text) => text.replace(pattern, (word) => replacements[word] ?? word)
}
