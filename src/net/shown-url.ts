/** An address as people and logs may read it: what stands in it as a password, or as the token of a database, is not shown. */
export function shownUrl(url: string): string {
  return url
    .replace(/(?<=^https?:\/\/[^/?#:@]*:)[^/?#]*(?=@)/iu, "***")
    .replace(/(?<=^[a-z]+:\/\/[^?#]*\?(?:[^#]*&)?authToken=)[^&#]*/iu, "***");
}
