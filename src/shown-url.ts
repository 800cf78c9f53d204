/** An address as people and logs may read it: what stands in it as a password is not shown. */
export function shownUrl(url: string): string {
  return url.replace(/(?<=^https?:\/\/[^/?#:@]*:)[^/?#]*(?=@)/iu, "***");
}
