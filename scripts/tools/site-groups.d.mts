export function pageGroups(markdown: string): Map<string, string>
