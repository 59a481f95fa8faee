/** The content of an element: always as text, never as markup. */
export type Child = Node | string

/** Makes an HTML element. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** Makes an SVG element. */
export function svgElement(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly Node[] = [],
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** A heading that is given the focus when its view is shown, for who reads by ear. */
export function heading(text: string): HTMLHeadingElement {
  return element('h1', { tabindex: '-1' }, [text])
}

/** Names and values side by side. */
export function facts(entries: readonly (readonly [name: string, value: Child])[]): HTMLDListElement {
  const pairs = entries.map(([name, value]) =>
    element('div', {}, [element('dt', {}, [name]), element('dd', {}, [value])]),
  )
  return element('dl', {}, pairs)
}
