/** The characters that memsvc allows in HTTP header values. */
export const headerText = /^[\x20-\x7e]+$/;

export const headerTextRule = "of ASCII characters, since no header carries others";
