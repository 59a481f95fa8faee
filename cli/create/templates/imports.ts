const columns = 120

/** An import statement: sorted names, marked types, on one line if it fits. */
export function importFrom(module: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const sorted = [...new Set(names)].sort((a, b) => withoutType(a).localeCompare(withoutType(b), 'en'))
  const isAllTypes = sorted.every((name) => name.startsWith('type '))
  const [keyword, shownNames] = isAllTypes ? ['import type', sorted.map(withoutType)] : ['import', sorted]
  const flat = `${keyword} { ${shownNames.join(', ')} } from '${module}'`
  return flat.length <= columns ? flat : `${keyword} {\n  ${shownNames.join(',\n  ')},\n} from '${module}'`
}

const withoutType = (name: string) => name.replace(/^type /, '')

/** Import statements, one per line; empty ones are left out. */
export function imports(...all: readonly string[]): string {
  return all.filter((statement) => statement !== '').join('\n')
}
