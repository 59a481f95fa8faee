import type { Page } from './browser.js'

/** More than any page of the tests has. */
const maxSteps = 400

/**
 * Presses a key that moves the focus until it has been everywhere, and returns what a user of the keyboard would miss:
 * elements that never get the focus, those that have it without being seen, and those whose outline does not tell
 * whether they have it.
 */
export async function keyboardFaults(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  await page.evaluate(`(${untilStill})()`)
  await page.evaluate(`(${start})(${key === 'Tab'})`)
  const faults: string[] = []
  for (let n = 0; n < maxSteps; n++) {
    const step = (await page.evaluate(`(${look})()`)) as Step
    faults.push(...step.faults)
    if (step.isEnd) return [...faults, ...((await page.evaluate(`(${missed})()`)) as string[])]
    await page.keyboard.press(key)
  }
  return [...faults, `the focus did not come to the end after ${maxSteps} steps`]
}

interface Step {
  isEnd: boolean
  faults: string[]
}

/** Charts adapt to another width a little later. */
const untilStill = `async () => {
  const { documentElement: page } = document
  let height
  for (let still = 0; still < 5; still = height === page.scrollHeight ? still + 1 : 0) {
    height = page.scrollHeight
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}`

/** Sets the focus on the first or the last element, and remembers which elements need the focus once. */
const start = `(forwards) => {
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const isOperable = (one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0
  const all = [...document.querySelectorAll(selector)].filter(isOperable)
  window.walk = { all, reached: new Set(), last: undefined, nameOf: (one) => one.outerHTML.slice(0, 120) }
  all.at(forwards ? 0 : -1).focus({ focusVisible: true })
}`

/** Returns the faults of the element that has the focus, and of the one that had it before. */
const look = `() => {
  const { reached, last, nameOf } = window.walk
  const isOutlined = (one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
  }
  // New data may move it out of the window after the browser has scrolled to it.
  const { top, bottom } = document.activeElement.getBoundingClientRect()
  if (bottom < 0 || top > innerHeight) document.activeElement.scrollIntoView({ block: 'center' })
  const isSeen = (one) => {
    const { left, right, top, bottom } = one.getClientRects()[0] ?? one.getBoundingClientRect()
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
    const seen = document.elementFromPoint((left + right) / 2, y)
    return one.contains(seen) || seen?.contains(one) === true
  }
  const one = document.activeElement ?? document.body
  const faults = []
  if (last && last !== one && isOutlined(last)) faults.push('outline without focus: ' + nameOf(last))
  if (one === document.body || reached.has(one)) return { isEnd: true, faults }
  reached.add(one)
  window.walk.last = one
  if (!isOutlined(one)) faults.push('no outline: ' + nameOf(one))
  if (!isSeen(one)) faults.push('hidden: ' + nameOf(one))
  return { isEnd: false, faults }
}`

const missed = `() => window.walk.all
  .filter((one) => one.isConnected && !window.walk.reached.has(one))
  .map((one) => 'not reached: ' + window.walk.nameOf(one))`
