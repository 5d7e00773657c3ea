@org.jspecify.annotations.NullMarked
package rookery.standalone;
