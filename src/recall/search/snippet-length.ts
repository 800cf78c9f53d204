/** How many code points of a hit's text a list of results contains. */
export const snippetLength = 300;
