/** A URL for messages and logs: a password in it, or a database's `authToken`, is replaced by ***. */
export function shownUrl(url: string): string {
  return url
    .replace(/(?<=^https?:\/\/[^/?#:@]*:)[^/?#]*(?=@)/iu, "***")
    .replace(/(?<=^[a-z]+:\/\/[^?#]*\?(?:[^#]*&)?authToken=)[^&#]*/iu, "***");
}
