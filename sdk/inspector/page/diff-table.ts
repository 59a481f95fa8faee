import type { DiffLine, Explanation } from '../explanation-view.js'
import { element } from './element.js'

/** Both objects side by side, lines that only one has marked. */
export function diffTable({ lines }: Pick<Explanation, 'lines'>): HTMLElement {
  const titles = ['Virtual', 'Host'].map((title) => element('th', { scope: 'col' }, [title]))
  const table = element('table', { class: 'diff' }, [
    element('caption', {}, ['Both objects side by side']),
    element('thead', {}, [element('tr', {}, titles)]),
    element('tbody', {}, lines.map(row)),
  ])
  const place = { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Both objects side by side' }
  return element('div', place, [table])
}

function row({ virtual, host, same }: DiffLine): HTMLElement {
  const cell = (text: string | null, look: string) =>
    same || text === null
      ? element('td', {}, [text ?? ''])
      : element('td', { class: look }, [element('mark', {}, [text])])
  return element('tr', {}, [cell(virtual, 'virtual-only'), cell(host, 'host-only')])
}
