/** What the value of an HTTP header may be made of. */
export const headerText = /^[\x20-\x7e]+$/;

export const headerTextWanted = "of ASCII characters, since no header carries others";
